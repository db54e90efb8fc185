// settings.js: how the board looks.
// Takes nothing, gives nothing.
for (const [name, usual, show] of [
  ["colours", "", (value) => { document.documentElement.dataset.board = value; }],
  ["size", "100", (value) => part("play").style.setProperty("--size", value / 100)],
]) {
  part(name).value = recall("localStorage", name) ?? usual;
  part(name).oninput = () => { show(part(name).value); keep("localStorage", name, part(name).value); };
  show(part(name).value);
}
click("show-settings", () => part("settings").showModal());
