(() => {
  "use strict";
  const root = document.documentElement;
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const narrow = matchMedia("(max-width: 34rem)");
  const config = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false, showTips: false };

  // A figure names its colours, {"colour": name}; the style sheet says what they are.
  const painted = (thing, style) => {
    if (Array.isArray(thing)) return thing.map((one) => painted(one, style));
    if (thing === null || typeof thing !== "object") return thing;
    const names = Object.keys(thing);
    if (names.length === 1 && names[0] === "colour") return style.getPropertyValue("--" + thing.colour).trim();
    return Object.fromEntries(names.map((name) => [name, painted(thing[name], style)]));
  };

  const draw = () => {
    const style = getComputedStyle(root);
    for (const place of document.querySelectorAll("[data-chart]")) {
      const { data, layout } = painted(figures[place.dataset.chart], style);
      if (narrow.matches) layout.font.size = 11;
      Plotly.react(place, data, layout, config);
    }
  };

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const show = () => {
    button.setAttribute("aria-pressed", String(isDark()));
    draw();
  };

  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  system.addEventListener("change", show);
  narrow.addEventListener("change", draw);
  show();
})();
