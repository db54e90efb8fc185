// dialogs.js: what all dialogs, menus and buttons do: they close, menus open where the hand is, and buttons get pictures.
// Takes picture; gives `openAt`, `isSure` and `download`.

// Opens a menu at a point of the window, inside it.
function openAt(menu, x, y) {
  menu.showModal();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(0, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(0, y + height > innerHeight - 8 ? Math.min(y, innerHeight) - height : y)}px`;
}

// A click beside a dialog closes it, unless it stays. A choice in a menu closes it first, so that what is done then
// keeps its focus. A text that was marked may end beside it.
let pressed = null;
addEventListener("pointerdown", ({ target }) => { pressed = target; }, true);
addEventListener("click", ({ target, clientX, clientY, detail }) => {
  if (target.matches?.("dialog:not([data-stays])") && target === pressed && detail > 0) {
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

// The pictures on buttons: strokes on a field of 20 by 20. What has `data-icon` gets its picture at once.
{
  const PATHS = {
    plus: "M10 4v12M4 10h12",
    book: "M10 5v12M10 5Q6.5 2.5 3 4v11.5q3.5-1.5 7 1.5M10 5q3.5-2.5 7-1v11.5q-3.5-1.5-7 1.5",
    gear: "M10 7a3 3 0 1 1 0 6a3 3 0 1 1 0-6M10 2v2.5M10 15.5V18M2 10h2.5M15.5 10H18M4.3 4.3l1.8 1.8M13.9 13.9" +
      "l1.8 1.8M4.3 15.7l1.8-1.8M13.9 6.1l1.8-1.8",
    flip: "M6.5 16V4M3.5 7l3-3l3 3M13.5 4v12M10.5 13l3 3l3-3",
    first: "M5 4v12M15 4l-7 6l7 6z", back: "M13 4l-7 6l7 6z", on: "M7 4l7 6l-7 6z", last: "M15 4v12M5 4l7 6l-7 6z",
    menu: "M3.5 5.5h13M3.5 10h13M3.5 14.5h13",
    close: "M5 5l10 10M15 5L5 15",
    again: "M15.5 7A6.5 6.5 0 1 0 16.5 10M16 3v4.5h-4.5",
    undo: "M7.5 4L3.5 8l4 4M3.5 8h8a4.5 4.5 0 0 1 0 9H8",
    bulb: "M7.5 14c0-2-2.5-3-2.5-6.3a5 5 0 0 1 10 0C15 11 12.5 12 12.5 14zM8 17h4",
    draw: "M4 7.5h12M4 12.5h12",
    flag: "M5 18V3h10l-2.5 4l2.5 4H5",
    check: "M3.5 10.5l4 4l9-10",
    chart: "M4 16V9M8 16V5M12 16v-5M16 16V3",
    play: "M6 3.5l11 6.5l-11 6.5z",
    share: "M10 13V3M6.5 6L10 2.5L13.5 6M5 10H3.5v7.5h13V10H15",
    learn: "M2 8l8-4l8 4l-8 4zM5.5 10v4.5q4.5 3 9 0V10",
  };
  for (const each of document.querySelectorAll("[data-icon]")) {
    const path = `<path d="${PATHS[each.dataset.icon]}"/>`;
    each.insertAdjacentHTML("afterbegin", `<svg class="icon" viewBox="0 0 20 20">${path}</svg>`);
  }
}
