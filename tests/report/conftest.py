"""A real browser for the tests of reports: Debian's Chromium, driven by Playwright."""

import os
import shutil

import pytest

import regretful as rg
from tests.report.games import GAMES

FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
WINDOW = {"width": 1280, "height": 900}
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


@pytest.fixture(scope="session")
def chromium():
    """The browser; skips where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no Chromium here: on Debian, apt-get install chromium")
    if "REGRETFUL_CHECKS" in os.environ:
        pytest.skip("the browser does not run under the sanitizers")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def until(page, condition):
    """Wait for it. (Playwright's own waiting is what the page's policy forbids: it evaluates text.)"""
    for _ in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it did not come to be that {condition}")


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Reports on disk, each written once."""
    folder = tmp_path_factory.mktemp("reports")

    def path(name):
        file = folder / f"{name}.html"
        if not file.exists():
            rg.report.write(GAMES[name](), file, command=f"regretful play {name}.csv --label y --report {file.name}")
        return file

    return path


@pytest.fixture
def visit(chromium, written):
    """Open a report; what it complains of, and what it asks the network for, fails the test."""
    opened = []

    def visit(name, **options):
        context = chromium.new_context(**{"viewport": WINDOW, "color_scheme": "light", **options})
        page = context.new_page()
        file = written(name)
        complaints = []
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda asked: asked.url != file.as_uri() and complaints.append(f"asked for {asked.url}"))
        page.goto(file.as_uri())
        until(page, "[...document.querySelectorAll('.plot')].every((one) => one.querySelector('.main-svg'))")
        opened.append((context, complaints))
        return page

    yield visit
    for context, complaints in opened:
        context.close()
        assert complaints == []
