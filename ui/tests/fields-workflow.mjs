// Browser tests of the rarest fields of the editor, in both languages, by keys: the buyer's identifiers, delivery, card, payee, documents, items,
// and what is asked about a buyer.
// The answers of the core are the recorded ones; what the form sends to compute its totals is what it holds.

import assert from "node:assert/strict";
import { assertAccessible, assertAccessibleAtEveryWidth, takeScreenshot } from "./browser.mjs";
import { replay } from "./recorded-core.mjs";

const WORDS = {
  en: {
    buyer: "More about the buyer",
    addIdentifier: "Add an identifier",
    removeIdentifier: /^Remove .*Identifier/,
    nationalId: "National id",
    document: "More about this document",
    payment: "Payment and payee",
    delivery: "Delivery",
    references: "References",
    addDocument: "Add a supporting document",
    addAttribute: "Add an attribute",
    addClass: "Add a class",
    identifiers: /Other identifiers/,
    bothLanguages: "Both languages",
    country: /Saudi Arabia/,
    agree: "Yes, it is",
    changeCurrency: /^Change to .*USD/,
    address: { street: "Prince Sultan Street", district: "Al Corniche", city: "Khobar" },
  },
  ar: {
    buyer: "المزيد عن المشتري",
    addIdentifier: "إضافة معرّف",
    removeIdentifier: /^إزالة .*المعرّف/,
    nationalId: "الهوية الوطنية",
    document: "المزيد عن هذا المستند",
    payment: "الدفع والمستفيد",
    delivery: "التسليم",
    references: "المراجع",
    addDocument: "إضافة مستند مؤيد",
    addAttribute: "إضافة خاصية",
    addClass: "إضافة تصنيف",
    identifiers: /معرّفات أخرى/,
    bothLanguages: "إظهار اللغتين",
    country: /المملكة العربية السعودية/,
    agree: "نعم",
    changeCurrency: /^التغيير إلى .*USD/,
    address: { street: "شارع الأمير سلطان", district: "الكورنيش", city: "الخبر" },
  },
};

/** Values of a buyer, as long as they usually are. */
const BUYER = {
  "name.en": "Kuwait Horizon Medical",
  "name.ar": "أفق الكويت الطبية",
  taxId: "310175397400003",
  building: "7421",
  postalCode: "34413",
};

/** The letters that find the remembered buyer. */
const LETTERS = "gul";

/** A buyer without a VAT number and without another identifier. */
const NO_IDENTIFIER = {
  field: "buyer.details.otherIds",
  path: "buyer.otherIds",
  rule: "BR-KSA-81",
  description: "a buyer without a VAT number has another identifier",
};

export async function fieldsTests(test, browser) {
  for (const language of ["en", "ar"]) await fieldsIn(language, test, browser);
}

/** Somebody who is invoiced in dollars, with all else of another buyer. */
const rememberedBuyer = (buyer) => ({
  key: "remembered",
  stamp: "1",
  buyer: { ...buyer, name: { en: "Gulf Freight", ar: "شحن الخليج" }, taxId: "" },
  currency: "USD",
  paymentTerms: "",
  dueTerms: null,
  note: "",
});

/** Whether the lines stand in blocks at this width; each of their fields has its name then. Runs in the page. */
function isLaidOut({ width, isBlock }) {
  const lines = document.querySelector(".line-grid");
  const row = lines.querySelector(".line-row .line-columns");
  const labelled = getComputedStyle(row.querySelector("[data-label]"), "::before").content !== "none";
  const hasBlocks = getComputedStyle(row).display === "flex";
  return (
    window.innerWidth === width &&
    lines.scrollWidth === lines.clientWidth &&
    labelled === hasBlocks &&
    (isBlock === null || hasBlocks === isBlock)
  );
}

/** The values that are wider than their fields: texts, choices and dates. Those of lines are left out, as cells of a table. Runs in the page. */
function cutValues() {
  const values = "input, button[aria-haspopup=listbox] > span, :has(> [role=spinbutton])";
  return [...document.querySelectorAll(`[data-field] :is(${values})`)]
    .filter(
      (value) =>
        value.checkVisibility() &&
        value.closest("[aria-hidden=true], .line-row") === null &&
        value.scrollWidth > value.clientWidth + 1,
    )
    .map((value) => {
      const { field } = value.closest("[data-field]").dataset;
      return `${field}: ${value.value ?? value.textContent} is ${value.scrollWidth} px in ${value.clientWidth}`;
    });
}

async function fieldsIn(language, test, browser) {
  const words = WORDS[language];
  let held;
  let lacksIdentifier = false;
  let doubt = null;
  /** Answers that were not recorded: no screen of the pictures looks for a buyer, or changes a draft. */
  const made = {
    save_draft: () => null,
    known_party: () => null,
    buyer_doubt: () => doubt,
    search_parties: ({ text }) => (text === LETTERS ? [rememberedBuyer(held.buyer)] : []),
  };
  const { page, errors, close } = await replay(
    browser,
    "signedIn",
    { language, theme: "light" },
    { viewport: { width: 1280, height: 900 } },
    (command, args, answer) => {
      if (command in made) return made[command](args);
      if (command !== "calculate") return answer;
      held = args.content;
      return lacksIdentifier ? { ...answer, violations: [NO_IDENTIFIER] } : answer;
    },
  );
  page.setDefaultTimeout(20_000);
  const input = (path) => page.locator(`[data-field="${path}"] input:not([type=hidden])`);
  const focusIsIn = (path) => page.locator(`[data-field="${path}"] :focus`).waitFor();
  const fold = (name) => page.locator("button[aria-expanded]", { hasText: name }).first();
  const unfold = async (name) => {
    await fold(name).waitFor();
    if ((await fold(name).getAttribute("aria-expanded")) !== "true") await fold(name).press("Enter");
  };
  const button = (name) => page.getByRole("button", { name, exact: true }).first();
  /** Waits until the form holds what `read` looks for. */
  const holds = async (read, expected) => {
    const found = () => held && JSON.stringify(read(held));
    const deadline = Date.now() + 20_000;
    while (found() !== JSON.stringify(expected) && Date.now() < deadline)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    assert.equal(found(), JSON.stringify(expected));
  };
  const named = (name) => `${language}: ${name}`;

  await test(named("the fold of the buyer opens by Enter, and an identifier is typed by keys"), async () => {
    await page.locator("[role=grid] [data-index='0']").waitFor();
    await page.keyboard.press("Control+n");
    await focusIsIn(`buyer.name.${language}`);
    await input("buyer.postalCode").focus();
    await page.keyboard.press("Tab");
    await page.locator("button[aria-expanded=false]:focus", { hasText: words.buyer }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.locator("button:focus", { hasText: words.addIdentifier }).waitFor();
    await page.keyboard.press("Enter");
    await focusIsIn("buyer.details.otherIds[0].scheme");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: words.nationalId }).press("Enter");
    await focusIsIn("buyer.details.otherIds[0].scheme");
    await page.keyboard.press("Tab");
    await page.keyboard.type("1012345678");
    await holds(({ buyer }) => buyer.details.otherIds, [{ scheme: "NAT", value: "1012345678" }]);
    await input("buyer.details.contact.email").fill("accounts@dune.example");
    await input("buyer.details.electronicAddress.value").fill("6291041500213");
    await input("buyer.details.region").fill("Riyadh");
    await holds(
      ({ buyer: { details } }) => [details.contact.email, details.electronicAddress.value, details.region],
      ["accounts@dune.example", "6291041500213", "Riyadh"],
    );
    await assertAccessible(page, "fields of the buyer");
    await takeScreenshot(page, `fields-buyer-${language}`, { fullPage: true });
  });

  await test(named("a closed fold says what it holds, and one undo takes an identifier back"), async () => {
    await fold(words.buyer).press("Enter");
    await fold(words.buyer).getByText(`${words.nationalId} \u20681012345678\u2069`).waitFor();
    await fold(words.buyer).press("Enter");
    await button(words.addIdentifier).press("Enter");
    await focusIsIn("buyer.details.otherIds[1].scheme");
    await page.keyboard.press("Control+z");
    await holds(({ buyer }) => buyer.details.otherIds.length, 1);
  });

  await test(named("card, mandate, payee, delivery and a supporting document are typed"), async () => {
    await unfold(words.document);
    await unfold(words.payment);
    await input("details.payment.card.number").fill("4321");
    await input("details.payment.mandate.reference").fill("M-7");
    await input(`details.payee.name.${language}`).fill("Factor");
    await holds(
      ({ details: { payment, payee } }) => [payment.card.number, payment.mandate.reference, payee.name[language]],
      ["4321", "M-7", "Factor"],
    );
    await assertAccessible(page, "fields of the payment");
    await takeScreenshot(page, `fields-payment-${language}`, { fullPage: true });
    await unfold(words.delivery);
    await input("details.delivery.address.city").fill("Jeddah");
    await unfold(words.references);
    await input("details.references.tender").fill("T-9");
    await button(words.addDocument).press("Enter");
    await focusIsIn("details.documents[0].id.value");
    await page.keyboard.type("TS-11");
    await holds(
      ({ details }) => [details.delivery.address.city, details.references.tender, details.documents[0]?.id.value],
      ["Jeddah", "T-9", "TS-11"],
    );
    await assertAccessible(page, "references and delivery");
    await takeScreenshot(page, `fields-document-${language}`, { fullPage: true });
  });

  await test(
    named("an attribute and a class of an item are typed in the fold of the line, and every field fits into every width"),
    async () => {
      await input("lines[0].quantity").focus();
      await page.keyboard.press("Control+i");
      await focusIsIn("lines[0].details.itemCode");
      await button(words.addAttribute).press("Enter");
      await focusIsIn("lines[0].details.attributes[0].name");
      await page.keyboard.type("Colour");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Black");
      await button(words.addClass).press("Enter");
      await focusIsIn("lines[0].details.classifications[0].code");
      await page.keyboard.type("8471");
      await holds(
        ({ lines: [{ details }] }) => [details.attributes, details.classifications[0]?.code],
        [[{ name: "Colour", value: "Black" }], "8471"],
      );
      await assertAccessibleAtEveryWidth(page, "all fields", { language, theme: "light" });
      await page.setViewportSize({ width: 1280, height: 900 });
      await takeScreenshot(page, `fields-line-${language}`, { fullPage: true });
    },
  );

  await test(
    named(
      "lines of any columns scroll sideways at no width, where they do not fit each field has its name, and no value is cut off",
    ),
    async () => {
      const buyer = { ...BUYER, ...words.address };
      for (const [name, value] of Object.entries(buyer)) await input(`buyer.${name}`).fill(value);
      await page.locator('[data-field="buyer.country"] button').press("Enter");
      await page.getByRole("option", { name: words.country }).press("Enter");
      await holds(({ buyer: { country, city } }) => [country, city], ["SA", words.address.city]);
      const fits = async (columns) => {
        for (const width of [1920, 1600, 1440, 1300, 1280, 1200, 1100, 960, 760, 640, 480, 320]) {
          await page.setViewportSize({ width, height: 900 });
          const isBlock = width === 1280 || width === 760 ? width === 760 : null;
          // The paper beside the form comes and goes with a render after the change of the width.
          await page.waitForFunction(isLaidOut, { width, isBlock }).catch(() => assert.fail(`${columns} at ${width} px`));
          assert.deepEqual(await page.evaluate(cutValues), [], `${columns} at ${width} px`);
        }
      };
      await fits("the usual columns");
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.locator('[data-row="0"] [data-cell="taxCategory"] button').press("Enter");
      await page.getByRole("option").nth(1).press("Enter");
      await page.locator('.line-grid[data-exempt="true"]').waitFor();
      await fits("an exemption");
      await page.getByRole("switch", { name: words.bothLanguages }).press("Space");
      await page.locator('.line-grid[data-second="true"]').waitFor();
      await fits("an exemption and two languages");
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole("switch", { name: words.bothLanguages }).press("Space");
      await page.locator('[data-row="0"] [data-cell="taxCategory"] button').press("Enter");
      await page.getByRole("option").first().press("Enter");
      await page.locator('.line-grid[data-exempt="false"][data-second="false"]').waitFor();
    },
  );

  await test(named("who is asked about a buyer with the own tax id answers by a key, and goes on at the tax id"), async () => {
    doubt = { kind: "ownTaxId" };
    await input("buyer.taxId").fill("310175397400011");
    await page.keyboard.press("Tab");
    await button(words.agree).waitFor();
    await assertAccessible(page, "a doubt about the buyer");
    await button(words.agree).press("Enter");
    await focusIsIn("buyer.taxId");
    await button(words.agree).waitFor({ state: "detached" });
    doubt = null;
  });

  await test(named("a remembered buyer of another currency leaves that of the amounts, and a key takes it over"), async () => {
    await input("lines[0].unitPrice").fill("100");
    const { currency } = held;
    await input(`buyer.name.${language}`).fill("");
    await page.keyboard.type(LETTERS);
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    const change = page.getByRole("button", { name: words.changeCurrency });
    await change.waitFor();
    await holds((content) => content.currency, currency);
    await assertAccessible(page, "a buyer of another currency");
    await change.press("Enter");
    await focusIsIn("currency");
    await holds((content) => content.currency, "USD");
  });

  await test(named("an error that asks for an identifier opens the fold and leads to the button that adds one"), async () => {
    await page.getByRole("button", { name: words.removeIdentifier }).press("Enter");
    await holds(({ buyer }) => buyer.details.otherIds, []);
    await fold(words.buyer).press("Enter");
    lacksIdentifier = true;
    await page.keyboard.press("Control+Enter");
    await page.locator('[aria-labelledby="summary-title"]').getByRole("button", { name: words.identifiers }).press("Enter");
    await page.locator("button:focus", { hasText: words.addIdentifier }).waitFor();
    assert.equal(await fold(words.buyer).getAttribute("aria-expanded"), "true");
  });

  await test(named("no field caused a script error"), async () => {
    assert.deepEqual(errors, []);
    await close();
  });
}
