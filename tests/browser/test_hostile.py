"""Names that try to be code are shown as text; nothing runs that the page did not bring."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

import thresher as th
from thresher import report

NAMES = [
    '</script><img src=x onerror="window.hacked=1"><script>window.hacked=2</script>',
    '"><svg onload="window.hacked=3"></svg>',
    "'-alert(4)-'",
    "</title><script>window.hacked=5</script>",
    "<!--<script>",
    "${window.hacked=6}{{constructor.constructor('window.hacked=7')()}}",
    "javascript:window.hacked=8",
    '=HYPERLINK("http://example.invalid","x")',
    "\u202egnal rotarap\u202c \u0634\u0643\u0631\u0627",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "z" * 10_000,
    "",
]


class Listening:
    """A server on this machine that notes whoever asks."""

    def __init__(self) -> None:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            # A browser may open a connection and never ask for anything.
            timeout = 1

            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_error(404)

            def log_message(self, *_: object) -> None:
                pass

        self.asked = asked
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        self.thread = Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()


@pytest.fixture
def listening():
    server = Listening()
    yield server
    server.server.shutdown()
    server.thread.join()
    server.server.server_close()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    y = [0, 0, 1, 1, 0, 1]
    models = dict.fromkeys(NAMES, th.Scores(y, [0.1, 0.4, 0.35, 0.8, 0.2, 0.7]))
    folder = tmp_path_factory.mktemp("hostile")
    return report(models, folder / "quotes\"'\nand a newline.html", title=NAMES[0] + NAMES[3])


def test_nothing_runs_and_nothing_is_asked_for(visit, hostile):
    seen = visit(hostile)
    page = seen.page
    for i in range(len(NAMES)):
        page.locator(f"[data-model-choice][value='{i}']").check(force=True)
        seen.settle()
    seen.hover("roc", 0.4, 0.5)
    assert page.evaluate("window.hacked") is None
    assert seen.complaints == []
    assert len(seen.requests) == 1
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def test_names_are_there_as_text(visit, hostile):
    page = visit(hostile).page
    full = page.locator(".names bdi").all_text_contents()
    assert full == NAMES
    rows = page.locator("[data-table='models'] bdi").all_text_contents()
    assert page.locator("tr[data-model='2'] bdi").text_content() == "'-alert(4)-'"
    assert all(len(text) <= 24 for text in rows)
    assert page.locator("h1").text_content().startswith("</script><img src=x onerror=")


def test_the_policy_stops_what_is_put_in_afterwards(visit, hostile, listening):
    seen = visit(hostile)
    outcome = seen.page.evaluate(
        """async address => {
        const tried = {};
        const attempt = async (name, work) => {
            try { tried[name] = await work(); } catch (error) { tried[name] = error.name; }
        };
        await attempt('inline script', () => {
            const node = document.createElement('script');
            node.append('window.hacked = 9');
            document.body.append(node);
        });
        await attempt('markup', () => { document.body.innerHTML = '<img src=x onerror="window.hacked=10">'; });
        await attempt('handler', () => {
            document.body.setAttribute('onclick', 'window.hacked=11');
            document.body.click();
        });
        await attempt('network', () => fetch(address));
        await attempt('picture', () => new Promise(done => {
            const image = new Image();
            image.onload = () => done('loaded');
            image.onerror = () => done('refused');
            image.src = address + 'x.png';
        }));
        await attempt('frame', () => {
            const frame = document.createElement('iframe');
            frame.src = address;
            document.body.append(frame);
        });
        return {...tried, hacked: window.hacked ?? null};
    }""",
        listening.address,
    )
    assert outcome["hacked"] is None
    assert outcome["markup"] == "TypeError"
    assert outcome["network"] == "TypeError"
    assert outcome["picture"] == "refused"
    assert listening.asked == []


def test_long_names_do_not_widen_the_page(visit, hostile):
    assert visit(hostile).page.evaluate("document.documentElement.scrollWidth") <= 1240
