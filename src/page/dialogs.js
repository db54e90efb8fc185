// dialogs.js: what all dialogs and menus do: they close, and menus open where the hand is.
// Takes picture; gives `openAt`, `isSure` and `download`.

// Opens a menu at a point of the window, inside it.
function openAt(menu, x, y) {
  menu.showModal();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(0, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(0, y + height > innerHeight - 8 ? Math.min(y, innerHeight) - height : y)}px`;
}

// A click beside a dialog closes it. A choice in a menu closes it first, so that what is done then keeps its focus.
// A text that was marked may end beside it.
let pressed = null;
addEventListener("pointerdown", ({ target }) => { pressed = target; }, true);
addEventListener("click", ({ target, clientX, clientY, detail }) => {
  if (target.matches?.("dialog") && target === pressed && detail > 0) {
    const { left, right, top, bottom } = target.getBoundingClientRect();
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) target.close();
  }
  if (target.closest?.("[data-closes], .menu button")) target.closest("dialog").close();
}, true);

// What was pressed with the mouse leaves the keys to the page, also when a dialog closes that it opened.
addEventListener("click", ({ detail }) => {
  const pressed = document.activeElement;
  if (detail > 0 && pressed.matches(":is(main, header) :is(button, a, [type=checkbox])")) pressed.blur();
}, true);

// Asks the person; true if the answer is yes.
function isSure(question) {
  const dialog = part("question");
  part("asked").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  // The end of the question before may be told only now.
  return new Promise((resolve) => { dialog.onclose = () => dialog.open || resolve(dialog.returnValue === "yes"); });
}

// Gives a file to the person.
function download(name, blob) {
  const link = element("a", "");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
