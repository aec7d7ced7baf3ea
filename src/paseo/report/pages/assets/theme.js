/** Light or dark: as the system says, or as the switch says; and the colours of it. */

export function startTheme(changed) {
  for (const choice of document.querySelectorAll('input[name="theme"]')) {
    choice.addEventListener("change", () => {
      if (choice.value === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = choice.value;
      changed();
    });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}

/** The colours that the style sheet has now, by name. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ["page", "solid", "floor", "edge", "ink", "faint", "person", "rim", "contact"];
  return {
    ...Object.fromEntries(names.map((name) => [name, named(name)])),
    planner: (look) => named(look.startsWith("ref") ? "faint" : `planner-${parseInt(look.slice(1), 10)}`),
  };
}
