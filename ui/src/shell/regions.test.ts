/** Tests of the regions that F6 moves between: their order, where each begins, and those that are left out. */
// @vitest-environment jsdom

import { afterEach, beforeEach, expect, test } from "vitest";
import { focusRegion } from "./regions";

const button = (id: string, attributes = "") => `<button id="${id}" ${attributes}></button>`;

const list = `
  <section>
    ${button("filter")}
    <div role="grid"><div role="row" tabindex="-1"></div><div id="row" role="row" tabindex="0"></div></div>
  </section>
  <aside>${button("close")}</aside>`;

const form = `
  <section>
    ${button("back")}
    <div data-region="">${button("disabled-date", "disabled")}<input id="date"><input id="due"></div>
    ${button("fold")}
    <div data-region=""><input id="buyer"></div>
    <div data-region=""><input id="line"></div>
  </section>`;

function show(screen: string) {
  document.body.innerHTML = `
    <div data-region="">${button("switcher")}</div>
    <div data-region=""></div>
    <nav>${button("today")}${button("invoices", 'aria-current="page"')}</nav>
    <main tabindex="-1">${screen}</main>
    <div data-region="">${button("unseen", 'tabindex="-1"')}<p>Online</p></div>`;
}

/** The elements that have the focus after each of so many keys. */
function walk(by: 1 | -1, keys: number): (string | undefined)[] {
  return Array.from({ length: keys }, () => {
    focusRegion(by);
    return document.activeElement?.id;
  });
}

const focus = (id: string) => document.getElementById(id)?.focus();

beforeEach(() => show(list));
afterEach(() => {
  document.body.innerHTML = "";
});

test("each region is visited once, at its row or its page, and those without anything to press are left out", () => {
  expect(walk(1, 5)).toEqual(["switcher", "invoices", "row", "close", "switcher"]);
  expect(walk(-1, 4)).toEqual(["close", "row", "invoices", "switcher"]);
});

test("a page that says what has failed in place of a screen is a region", () => {
  show(`<h1></h1><div>${button("retry")}</div>`);
  focus("invoices");
  expect(walk(1, 2)).toEqual(["retry", "switcher"]);
});

test("from any element of a region the next key leaves it", () => {
  focus("filter");
  expect(walk(1, 1)).toEqual(["close"]);
  focus("filter");
  expect(walk(-1, 1)).toEqual(["invoices"]);
});

test("the parts of a form are regions, and what stands between them leads to its neighbours", () => {
  show(form);
  focus("invoices");
  expect(walk(1, 5)).toEqual(["back", "date", "buyer", "line", "switcher"]);
  focus("fold");
  expect(walk(1, 1)).toEqual(["buyer"]);
  focus("fold");
  expect(walk(-1, 1)).toEqual(["date"]);
});
