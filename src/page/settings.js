// settings.js: the fields of the settings, which are kept by their names, and what follows from them.
// Takes picture, dialogue, control and sound; gives nothing.
{
  const show = () => {
    document.documentElement.dataset.board = part("colours").value;
    part("play").style.setProperty("--size", part("size").value / 100);
  };
  const [hear, search] = [() => sounds.hear("move"), () => control.act()];
  for (const [name, follow] of Object.entries({
    colours: show, size: show, sound: hear, lines: search, threads: search, hash: search,
  })) {
    const field = part(name);
    const kept = recall("localStorage", name);
    if (field.type === "checkbox") field.checked = kept === "true";
    else field.value = kept ?? field.value;
    if (field.selectedIndex < 0) field.selectedIndex = 0;
    field.onchange = () => {
      keep("localStorage", name, field.type === "checkbox" ? field.checked : field.value);
      follow();
    };
  }
  part("size").oninput = show;
  show();
}
click("show-settings", () => part("settings").showModal());
