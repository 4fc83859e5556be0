// Arguments: whether an empty page of the list's height is scrolled instead, and the callback.
const [blank, done] = arguments;
const STEPS = 400;

const grid = document.querySelector("[role=grid]");
const list = [grid, ...grid.querySelectorAll("*")].find(
  (each) => each.scrollHeight > 2 * each.clientHeight && each.clientHeight > 200,
);
let scrolled = list;
if (blank) {
  const place = list.getBoundingClientRect();
  scrolled = document.createElement("div");
  scrolled.style.position = "fixed";
  scrolled.style.overflow = "auto";
  scrolled.style.background = "white";
  for (const side of ["left", "top", "width", "height"]) scrolled.style[side] = `${place[side]}px`;
  const content = document.createElement("div");
  content.style.height = `${list.scrollHeight}px`;
  scrolled.append(content);
  document.body.append(scrolled);
}
const frames = [];
let step = 0;
let last = 0;
const next = (now) => {
  if (last > 0) frames.push(Math.round(now - last));
  last = now;
  if (step > STEPS) {
    if (blank) scrolled.remove();
    done(frames);
    return;
  }
  scrolled.scrollTop = ((scrolled.scrollHeight - scrolled.clientHeight) * step) / STEPS;
  step += 1;
  requestAnimationFrame(next);
};
requestAnimationFrame(next);
