"""What the page says of the server, and what is there without it."""

from __future__ import annotations

from collections.abc import Callable

import httpx
from playwright.sync_api import Browser, Route, expect

from support.browser_page import Window, violations
from support.http_server import process

AWAY = "The server is away. Your game stays here, and goes on when the server is back."


def notice(window: Window) -> str:
    return window.page.locator(".notice").text_content() or ""


def test_a_computer_that_warms_up_says_so_until_it_is_at_full_strength(window: Window) -> None:
    strengths = ["warming", "warming", "full"]
    known = httpx.get(f"{window.address}/api/version", trust_env=False).json()

    def answer(route: Route) -> None:
        route.fulfill(json={**known, "strength": strengths.pop(0) if strengths else "full"})

    window.page.clock.install()
    window.page.route("**/api/version", answer)
    window.open("4x4x3 b2", o="casual")
    assert notice(window) == ""  # it may only be loading
    window.page.clock.run_for(3000)
    window.eventually(lambda: "full strength in about a minute" in notice(window), True)
    expect(window.page.locator("#board [data-mark=O]")).to_have_count(1)  # and it plays
    assert violations(window.page) == []
    window.page.clock.run_for(3000)
    window.eventually(lambda: notice(window), "")
    assert strengths == []


def test_a_server_that_goes_and_comes_back(new_window: Callable[..., Window]) -> None:
    window = new_window()
    with process("--workers", "1") as server:
        window.address = server.url
        window.open("4x4x3 b2 a1")
        server.end()
        window.cell("c3").click()
        window.eventually(lambda: notice(window), AWAY)
        expect(window.problem).to_contain_text("The server cannot be reached")
        window.expect_game("4x4x3 b2 a1")
        port = server.port
    with process("--workers", "1", port=port):
        window.expect_game("4x4x3 b2 a1 c3")  # by itself
        window.eventually(lambda: notice(window), "")
        expect(window.problem).to_be_hidden()


def test_the_page_opens_without_the_server(browser: Browser) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    with process("--workers", "1") as server:
        window = Window(page, server.url)
        window.open("ultimate ee ea")
        window.play(["aa", "ai"])
        lessons = context.new_page()
        page.evaluate("navigator.serviceWorker.ready")
        lessons.goto(f"{server.url}/learn/state.html")
        kept = "url => caches.match(url.split('#')[0], { ignoreVary: true }).then(Boolean)"
        window.eventually(lambda: page.evaluate(kept, page.url), True)
        window.eventually(lambda: page.evaluate(kept, lessons.url), True)
        server.end()

        page.reload()
        window.wait_until_ready()
        window.expect_game("ultimate ee ea aa ai")
        window.eventually(lambda: notice(window), AWAY)
        page.keyboard.press("ArrowLeft")
        window.expect_game("ultimate ee ea aa | ai")  # a position that was there before
        lessons.reload()
        expect(lessons.locator("h1")).to_be_visible()
        assert not page.evaluate("fetch('api/health').then(() => true, () => false)")
        port = server.port
    with process("--workers", "1", port=port):
        window.eventually(lambda: notice(window), "")
        page.keyboard.press("ArrowRight")
        window.cell("ii").click()
        window.expect_game("ultimate ee ea aa ai ii")
    context.close()


def test_another_version_is_never_mixed_with_the_one_before(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/")
    page.evaluate("navigator.serviceWorker.ready")
    expect(page.locator("html[data-ready]")).to_be_attached()
    old = f"{address}/ v-0123456789abcdef"
    page.evaluate("name => caches.open(name)", old)
    assert old in page.evaluate("caches.keys()")
    page.reload()
    expect(page.locator("html[data-ready]")).to_be_attached()
    names: list[str] = []
    for _ in range(100):
        names = page.evaluate("caches.keys()")
        if len(names) == 1:
            break
        page.wait_for_timeout(50)
    folder = page.locator("script[type=module]").get_attribute("src")
    assert folder
    assert names == [f"{address}/ {folder.split('/')[0]}"]
    urls = page.evaluate(
        "name => caches.open(name).then(c => c.keys()).then(all => all.map(({ url }) => url))",
        names[0],
    )
    assert not any("/api/" in url for url in urls)
    assert f"{address}/" in urls
    context.close()


def test_the_page_can_be_installed(window: Window) -> None:
    page = window.page
    window.open()
    line = page.context.new_cdp_session(page)
    manifest = line.send("Page.getAppManifest")
    assert manifest["url"] == f"{window.address}/manifest.webmanifest"
    assert manifest["errors"] == []
    assert line.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
