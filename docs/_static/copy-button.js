// A button on each block of code that copies it without prompts and without what it prints.
window.codeOf = (text) => {
  const lines = text.replace(/\n$/, "").split("\n");
  const prompts = lines.some((line) => /^(>>> |\$ )/.test(line));
  if (!prompts) return lines.join("\n");
  return lines
    .filter((line) => /^(>>>|\.\.\.)( |$)|^\$ /.test(line))
    .map((line) => line.replace(/^(>>>|\.\.\.) ?|^\$ /, ""))
    .join("\n");
};
if (typeof document !== "undefined") {
  document.addEventListener("DOMContentLoaded", () => {
    if (!navigator.clipboard) return;
    for (const block of document.querySelectorAll("div.highlight > pre")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy-code";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(window.codeOf(block.textContent));
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
      });
      block.parentElement.append(button);
    }
  });
}
