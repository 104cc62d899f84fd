"""What pytest leaves alone here: configuration, scripts that have their own test, and what a build writes."""

collect_ignore = ["conf.py"]
collect_ignore_glob = ["_build/*", "_ext/*", "auto_gallery/*", "gallery/*", "reference/generated/*"]
