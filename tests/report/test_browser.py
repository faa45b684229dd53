"""The report in Chromium: it renders and answers the pointer, in the light and in the dark, on a phone, by keyboard."""

import itertools
import re

import pytest

from tests.report.conftest import PHONE, until
from tests.report.games import GAMES

RATIO = """
  const luminance = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map(Number);
    const curve = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const linear = parts.slice(0, 3).map((c) => curve(c / 255));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const clear = (colour) => colour === "transparent" || /, 0\\)$/.test(colour);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (!clear(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
"""
LINES = f"""
() => {{
  {RATIO}
  const card = document.querySelector(".card");
  return ["loss", "best", "proof", "theory", "faint"].map((name) => {{
    const one = card.appendChild(document.createElement("i"));
    one.style.color = `var(--${{name}})`;
    return [name, ratio(getComputedStyle(one).color, getComputedStyle(card).backgroundColor)];
  }});
}}
"""
CONTRAST = (
    f"() => {{ {RATIO}"
    + """
  const found = [];
  const note = (what, colour, element) => found.push([what, ratio(colour, behind(element))]);
  for (const element of document.querySelectorAll("body *:not(script)")) {
    const own = [...element.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim());
    if (!own || element.closest("svg")) continue;
    note(element.tagName + " " + element.textContent.slice(0, 30), getComputedStyle(element).color, element);
  }
  for (const text of document.querySelectorAll(".plot text")) {
    note("chart: " + text.textContent.slice(0, 30), getComputedStyle(text).fill, text.closest(".plot"));
  }
  return found;
}
"""
)
DRAWN = "(id) => document.querySelectorAll(`#plot-${id} .scatterlayer .trace, #plot-${id} .barlayer .point`).length"
ALONG = """
(chart) => {
  const line = [...document.querySelectorAll(`${chart} .js-line`)].at(-1);
  const at = line.getPointAtLength(line.getTotalLength() / 3), screen = line.getScreenCTM();
  return [at.x * screen.a + screen.e, at.y * screen.d + screen.f];
}
"""


def middle(page, chart):
    """The middle of where the chart is drawn."""
    page.locator(f"#plot-{chart}").scroll_into_view_if_needed()
    box = page.locator(f"#plot-{chart} .nsewdrag").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("name", GAMES)
def test_it_renders(visit, name):
    page = visit(name)
    for chart in page.evaluate("[...document.querySelectorAll('[data-chart]')].map((one) => one.dataset.chart)"):
        assert page.evaluate(DRAWN, chart) > 0
        assert page.locator(f"#plot-{chart}").bounding_box()["height"] > 100
    assert page.locator(".modebar").count() == 0
    assert page.evaluate("document.images.length") == 0


def test_the_pointer_is_answered(visit):
    page = visit("clicks")
    page.mouse.move(*middle(page, "loss"))
    page.wait_for_selector("#plot-loss .hoverlayer .legend")
    told = page.locator("#plot-loss .hoverlayer").text_content()
    assert "AdaGrad, so far" in told
    assert re.search(r"best in hindsight of all rounds : 0\.\d+", told)
    for chart, words in (("weights", "device="), ("calibration", "rounds")):
        points = page.locator(f"#plot-{chart} .point")
        points.first.scroll_into_view_if_needed()
        box = points.nth(points.count() // 2).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_selector(f"#plot-{chart} .hovertext")
        assert words in page.locator(f"#plot-{chart} .hoverlayer").text_content()
    page.locator("#plot-roc").scroll_into_view_if_needed()
    page.mouse.move(*page.evaluate(ALONG, "#plot-roc"))
    page.wait_for_selector("#plot-roc .hovertext")
    assert "of the positives" in page.locator("#plot-roc .hoverlayer").text_content()


def test_names_that_are_tags_are_shown_as_they_are(visit):
    page = visit("evil")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 3
    assert "<img src=x" in page.locator("#plot-weights").text_content()
    page.mouse.move(*middle(page, "weights"))
    assert page.locator("svg a").count() == 0


def colours(page):
    return page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,"
        " getComputedStyle(document.querySelector('#plot-loss .xtick text')).fill,"
        " getComputedStyle([...document.querySelectorAll('#plot-loss .js-line')].at(-1)).stroke]"
    )


def test_light_and_dark_by_the_system_and_by_the_button(visit):
    light, dark = colours(visit("clicks")), colours(visit("clicks", color_scheme="dark"))
    assert all(one != other for one, other in zip(light, dark, strict=True))
    page = visit("clicks")
    button = page.get_by_role("button", name="Dark mode")
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert colours(page) == dark
    button.click()
    assert colours(page) == light
    page.emulate_media(color_scheme="dark")  # said by hand, it stays
    assert colours(page) == light
    other = visit("clicks")
    other.emulate_media(color_scheme="dark")
    until(other, "document.getElementById('theme').getAttribute('aria-pressed') === 'true'")
    assert colours(other) == dark


@pytest.mark.parametrize(("name", "scheme"), [("clicks", "light"), ("demand", "dark")])
def test_text_can_be_read(visit, name, scheme):
    page = visit(name, color_scheme=scheme)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    found = page.evaluate(CONTRAST)
    assert len(found) > 100
    assert [(what, ratio) for what, ratio in found if ratio < 4.5] == []
    lines = page.evaluate(LINES)
    assert len(lines) == 5
    assert [(name, ratio) for name, ratio in lines if ratio < 3.0] == []


@pytest.mark.parametrize("name", ["clicks", "demand", "evil"])
def test_a_phone_need_not_scroll_sideways(visit, name):
    page = visit(name, **PHONE)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = page.evaluate(
        "[...document.querySelectorAll('main *')].filter((one) => !one.closest('.frame, pre, svg')"
        " && one.getBoundingClientRect().right > 361).map((one) => one.outerHTML.slice(0, 80))"
    )
    assert wide == []
    page.set_viewport_size({"width": 740, "height": 360})
    until(page, "document.documentElement.scrollWidth <= 740")
    until(page, "[...document.querySelectorAll('.main-svg')].every((one) => one.getBoundingClientRect().right <= 740)")


def test_the_keyboard_gets_everywhere_in_order(visit):
    page = visit("demand")
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                "(() => { const one = document.activeElement, top = one.getBoundingClientRect().top + scrollY;"
                " return [one.tagName, one.textContent.slice(0, 30), top, getComputedStyle(one).outlineStyle] })()"
            )
        )
        if reached[-1][0] == "BODY":
            break
    names = [name for name, *_ in reached]
    assert reached[0][:2] == ["A", "Skip to the answer"]
    assert names.count("BUTTON") == 1
    assert names.count("SUMMARY") == page.locator("summary").count()
    assert all(outline == "solid" for name, _, _, outline in reached if name != "BODY")
    tops = [top for name, _, top, _ in reached[1:] if name in ("SUMMARY", "PRE")]
    rows = [round(top / 400) for top in tops]
    assert all(a <= b for a, b in itertools.pairwise(rows))
    page.keyboard.press("Tab")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details").first.get_attribute("open") is not None
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "answer"


def test_who_listens_hears_it_all(visit):
    told = visit("clicks").locator("body").aria_snapshot()
    for words in (
        "banner", "navigation", "main", "contentinfo", 'heading "A game of AdaGrad" [level=1]',
        'heading "Loss and regret" [level=2]', 'img "Loss a round"', 'img "Calibration"', 'button "Dark mode"',
    ):  # fmt: skip
        assert words in told


def test_without_scripts_the_answer_and_the_tables_are_there(chromium, written):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(written("clicks").as_uri())
    assert page.locator(".sentence").count() == 2
    assert page.locator("table").count() > 5
    assert page.locator("#theme").is_hidden()
    context.close()
