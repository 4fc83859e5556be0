/** Tests of fuzzy matching in Latin and Arabic script. */
import { describe, expect, test } from "vitest";
import { queryWords } from "../organizations/search";
import { matchAny } from "./fuzzy";

const score = (text: string, query: string) => matchAny([text], queryWords(query))?.score ?? 0;
const marked = (text: string, query: string) =>
  matchAny([text], queryWords(query))?.ranges.map(([from, to]) => text.slice(from, to)) ?? null;

describe("fuzzy match", () => {
  test("the start of the text counts more than that of a word, and that more than the inside", () => {
    const scores = ["Invoices", "New invoice", "Reinvoice"].map((text) => score(text, "inv"));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(3);
  });
  test("first letters of the words are found, and letters that are far apart are not", () => {
    expect(marked("New invoice", "ni")).toEqual(["N", "i"]);
    expect(marked("Switch organization", "sworg")).toEqual(["Sw", "org"]);
    expect(marked("Nobody has anything like this inside", "nx")).toBeNull();
    expect(marked("Filter", "rl")).toBeNull();
  });
  test("every word of the query has to be found, in any order", () => {
    expect(marked("Gulf Pearl Trading", "trad gulf")).toEqual(["Gulf", "Trad"]);
    expect(marked("Gulf Pearl Trading", "gulf bank")).toBeNull();
  });
  test("Arabic letter forms, vowel marks, tatweel and the article do not matter", () => {
    expect(marked("مؤسّسة الإخاء", "الاخاء")).toEqual(["الإخا"]);
    expect(marked("الفــواتير", "فواتير")).toEqual(["فــواتير"]);
    expect(score("الفواتير", "فواتير")).toBeGreaterThanOrEqual(80);
    expect(marked("شركة الخليج", "شركه")).toEqual(["شركة"]);
    expect(marked("مستشفى", "مستشفي")).toEqual(["مستشفى"]);
    expect(marked("فاتورة جديدة", "فج")).toEqual(["ف", "ج"]);
  });
  test("accents do not matter, and neither do the digits of either script", () => {
    expect(marked("Café Riyadh", "cafe")).toEqual(["Café"]);
    expect(marked("INV-2026-00042", "٠٠٠٤٢")).toEqual(["00042"]);
    expect(marked("رقم ٤٢", "42")).toEqual(["٤٢"]);
  });
  test("a text that is not shown is found, and marks nothing", () => {
    const found = matchAny(["Al-Khair Trading", "khair.example", "274893002"], queryWords("khair 2748"));
    expect(found?.ranges).toEqual([[3, 8]]);
  });
});
