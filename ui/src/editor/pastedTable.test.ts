/** Tests of the lines that cells of a spreadsheet become. */
import { describe, expect, test } from "vitest";
import { parsePastedTable, pricesWithTax, toLines } from "./pastedTable";

const unitOf = (text: string) => ({ piece: "C62", box: "XBX", علبة: "XBX", C62: "C62" })[text] ?? null;
const parse = (text: string) => parsePastedTable(text, unitOf);
const lines = (text: string) => {
  const table = parse(text);
  return table && toLines(table, table.fields, unitOf);
};

describe("cells of a spreadsheet", () => {
  test("a text without tabs and line breaks belongs in the cell", () => {
    expect(parse("Gloves, size 7")).toBeNull();
    expect(parse("")).toBeNull();
  });
  test("description, quantity and price, in any digits", () => {
    expect(lines("Gloves\t12\t٣٫٥\nMasks\t3\t1,200.00\r\n")).toEqual([
      { description: { en: "Gloves", ar: "" }, quantity: "12", unitPrice: "٣٫٥" },
      { description: { en: "Masks", ar: "" }, quantity: "3", unitPrice: "1,200.00" },
    ]);
  });
  test("one number is the price", () => {
    expect(lines("Consulting\t500\nTravel\t80")).toEqual([
      { description: { en: "Consulting", ar: "" }, unitPrice: "500" },
      { description: { en: "Travel", ar: "" }, unitPrice: "80" },
    ]);
  });
  test("a number before the description is left out, a unit is recognised, and the price is kept", () => {
    expect(parse("1001\tNitrile gloves\t12\tbox\t45.00\n1002\tFace masks\t3\tpiece\t1.50")?.fields).toEqual([
      "ignored",
      "description",
      "quantity",
      "unit",
      "unitPrice",
    ]);
    expect(lines("1001\tNitrile gloves\t12\tbox\t45.00")).toEqual([
      { description: { en: "Nitrile gloves", ar: "" }, quantity: "12", unit: "XBX", unitPrice: "45.00" },
    ]);
  });
  test("a header names the columns in any order, and is no line", () => {
    expect(lines("Qty\tUnit Price\tDescription\tTotal\n2\tSAR 100.00\tChair\tSAR 200.00")).toEqual([
      { description: { en: "Chair", ar: "" }, quantity: "2", unitPrice: "100.00" },
    ]);
    expect(lines("البيان\tالكمية\tالوحدة\tسعر الوحدة\nقفازات\t٥\tعلبة\t٤٥")).toEqual([
      { description: { ar: "قفازات", en: "" }, quantity: "٥", unit: "XBX", unitPrice: "٤٥" },
    ]);
  });
  test("goods that have the name of a unit are the description, if there is no other", () => {
    expect(lines("box\t2\t45.00")).toEqual([{ description: { en: "box", ar: "" }, quantity: "2", unitPrice: "45.00" }]);
    expect(lines("box\t2\tpiece\t45.00")).toEqual([
      { description: { en: "box", ar: "" }, quantity: "2", unit: "C62", unitPrice: "45.00" },
    ]);
  });
  test("percentages are the tax rate", () => {
    expect(lines("Chair\t2\t100\t15%\nTable\t1\t300\t0%")?.map(({ taxRate }) => taxRate)).toEqual(["15", "0"]);
  });
  test("an Arabic text goes into the Arabic description, a Latin one into the English", () => {
    expect(lines("قفازات\t1\nGloves\t2")?.map(({ description }) => description)).toEqual([
      { ar: "قفازات", en: "" },
      { ar: "", en: "Gloves" },
    ]);
  });
  test("a cell in quotes holds tabs, line breaks and quotes", () => {
    expect(lines('"Chair\n24"" wide"\t2\t100\nTable\t1\t300')?.[0]?.description?.en).toBe('Chair 24" wide');
  });
  test("a quote within a cell is part of its text, and joins no rows", () => {
    expect(lines('Pipe 5"\t2\t100\nValve 6" "new"\t3\t40')).toEqual([
      { description: { en: 'Pipe 5"', ar: "" }, quantity: "2", unitPrice: "100" },
      { description: { en: 'Valve 6" "new"', ar: "" }, quantity: "3", unitPrice: "40" },
    ]);
    expect(lines('"Big" pipe\t2\t100\nTable\t1\t300')?.[0]?.description?.en).toBe('"Big" pipe');
  });
  test("the currency beside a price is no part of it, whatever it is called", () => {
    const text = "Chair\tSAR 5\nTable\t5 ر.س.\nLamp\tSR5\nDesk\t٥ د.إ\nShelf\t5 ج.م\nRug\t\u20c15";
    expect(lines(text)?.map(({ unitPrice }) => unitPrice)).toEqual(["5", "5", "5", "٥", "5", "5"]);
  });
  test("signs that Arabic spreadsheets write beside numbers do not make texts of them", () => {
    expect(lines("قفازات\t\u061c\u22122\t\u200f٤٥\t١٥٪\u061c\nخصم\t1\t\u200f-٥\t٠٪\u061c")).toEqual([
      { description: { ar: "قفازات", en: "" }, quantity: "\u22122", unitPrice: "٤٥", taxRate: "١٥" },
      { description: { ar: "خصم", en: "" }, quantity: "1", unitPrice: "-٥", taxRate: "٠" },
    ]);
  });
  test("a column that is named as a code is the item code, also as a number", () => {
    expect(lines("Item Code\tDescription\tQty\tPrice\n1001\tGloves\t2\t45.00")).toEqual([
      { itemCode: "1001", description: { en: "Gloves", ar: "" }, quantity: "2", unitPrice: "45.00" },
    ]);
    expect(parse("م\tرقم الصنف\tالبيان\tالسعر\n1\tA-1\tقفازات\t٤٥")?.fields).toEqual([
      "ignored",
      "itemCode",
      "description",
      "unitPrice",
    ]);
  });
  test("words with digits before the description are the item code without a header, too", () => {
    expect(parse("A-100\tNitrile gloves\t12\t45.00\nB-200\tFace masks\t3\t1.50")?.fields).toEqual([
      "itemCode",
      "description",
      "quantity",
      "unitPrice",
    ]);
  });
});

describe("a price with tax", () => {
  const withTax = [
    "Price (incl. VAT)",
    "Price incl. VAT",
    "Unit price including tax",
    "VAT-inclusive price",
    "Price inc VAT",
    "Gross price",
    "Price with tax",
    "Price w/ VAT",
    "Price incl. 15% VAT",
    "Our price per piece, incl. VAT",
    "السعر (شامل الضريبة)",
    "السعر شامل الضريبة",
    "سعر الوحدة شامل ضريبة القيمة المضافة",
    "السعر شاملًا للضريبة",
    "السعر (شاملة الضريبة)",
    "السعر مع الضريبة",
  ];
  test.each(withTax)("is no price without tax, named %j", (header) => {
    const table = parse(`Description\tQty\t${header}\nChair\t2\tSAR 115.00`) ?? expect.fail("it is a table");
    expect(table.fields).toEqual(["description", "quantity", "unitPriceWithTax"]);
    expect(toLines(table, table.fields, unitOf)).toEqual([{ description: { en: "Chair", ar: "" }, quantity: "2" }]);
    expect(pricesWithTax(table, table.fields)).toEqual(["115.00"]);
  });
  test.each([
    "Price (excl. VAT)",
    "Price excluding tax",
    "Price without VAT",
    "Price before tax",
    "السعر (غير شامل الضريبة)",
    "السعر غير شامل الضريبة",
    "السعر بدون ضريبة",
    "السعر قبل الضريبة",
    "السعر غير الشامل للضريبة",
    "Price w/o VAT",
    "Price not incl. VAT",
    "Price including delivery",
  ])("is not meant by %j", (header) => {
    const table = parse(`Description\tQty\t${header}\nChair\t2\t100.00`) ?? expect.fail("it is a table");
    expect(table.fields).toEqual(["description", "quantity", "unitPrice"]);
    expect(pricesWithTax(table, table.fields)).toBeNull();
  });
  test("is left out beside a price without tax, and so is a total", () => {
    expect(parse("Item\tPrice\tPrice incl. VAT\tTotal incl. VAT\nChair\t100\t115\t230")?.fields).toEqual([
      "description",
      "unitPrice",
      "ignored",
      "ignored",
    ]);
    expect(parse("البيان\tالسعر شامل الضريبة\tالإجمالي شامل الضريبة\nكرسي\t115\t230")?.fields).toEqual([
      "description",
      "unitPriceWithTax",
      "ignored",
    ]);
  });
});

describe("a description in two languages", () => {
  const both = [{ description: { ar: "قفازات معقمة", en: "Gloves" }, quantity: "2", unitPrice: "45.00" }];
  test.each([
    ["Description\tالوصف\tQty\tPrice\nGloves\tقفازات معقمة\t2\t45.00"],
    ["Description (AR)\tDescription (EN)\tQty\tPrice\nقفازات معقمة\tGloves\t2\t45.00"],
    ["الوصف بالعربية\tالوصف بالإنجليزية\tالكمية\tالسعر\nقفازات معقمة\tGloves\t2\t45.00"],
    ["Item\tDescription\tQty\tPrice\nقفازات معقمة\tGloves\t2\t45.00"],
    ["قفازات معقمة\tGloves\t2\t45.00"],
  ])("is taken from both columns of %j", (text) => {
    expect(lines(text)).toEqual(both);
  });
  test("takes nothing from a second column in the same language", () => {
    expect(parse("Item\tDescription\tPrice\nGloves\tSterile, size 7\t45")?.fields).toEqual([
      "description",
      "ignored",
      "unitPrice",
    ]);
  });
  test("by the names of the columns, if the values do not say it", () => {
    expect(lines("Description\tالوصف\tPrice\nPVC\tPVC\t45")?.[0]?.description).toEqual({ ar: "PVC", en: "PVC" });
  });
});
