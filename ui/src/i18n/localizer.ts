/** The words of one language: typed messages and the formats that go with them. */

import { FluentBundle, FluentResource } from "@fluent/bundle";
import type { Digits, Language } from "../ipc/bindings";
import { createFormatters, type Formatters } from "./format";
import type { Messages } from "./messages";

const sources = import.meta.glob<string>("../../locales/*/*.ftl", { query: "?raw", import: "default", eager: true });

export type MessageId = keyof Messages;

/** A message without arguments. */
type PlainId = { [Id in MessageId]: {} extends Messages[Id] ? Id : never }[MessageId];

/** Says a message; a message without arguments takes none. */
export type Translate = <Id extends MessageId>(id: Id, ...args: {} extends Messages[Id] ? [] : [Messages[Id]]) => string;

/** Everything a screen needs to speak. */
export interface Localizer {
  language: Language;
  direction: "ltr" | "rtl";
  /** BCP 47, with calendar and digits pinned. */
  locale: string;
  t: Translate;
  /** Whether there are words for an id that comes from outside. */
  has: (id: string) => id is PlainId;
  format: Formatters;
}

/** Calendar and digits stand in every tag, because engines disagree on their defaults. */
export function localeTag(language: Language, digits: Digits): string {
  const numbers = language === "ar" && digits === "arabic" ? "arab" : "latn";
  return `${language === "ar" ? "ar-SA" : "en-GB"}-u-ca-gregory-nu-${numbers}`;
}

/** The language to speak: the chosen one, else the system's if it is Arabic, else English. */
export function chooseLanguage(chosen: Language | null, system: readonly string[]): Language {
  return chosen ?? (system[0]?.toLowerCase().startsWith("ar") ? "ar" : "en");
}

export function createLocalizer(language: Language, digits: Digits): Localizer {
  const locale = localeTag(language, digits);
  const bundle = new FluentBundle([locale]);
  for (const [path, source] of Object.entries(sources)) {
    if (path.includes(`/locales/${language}/`)) bundle.addResource(new FluentResource(source));
  }
  const t: Translate = (id, ...args) => {
    const pattern = bundle.getMessage(id)?.value;
    // The generator has proved that every id is there in both languages.
    return pattern ? bundle.formatPattern(pattern, args[0] ?? null) : id;
  };
  const has = (id: string): id is PlainId => bundle.hasMessage(id);
  return { has, language, direction: language === "ar" ? "rtl" : "ltr", locale, t, format: createFormatters(locale) };
}

/** Takes the isolation marks out that Fluent puts around what is filled in, for the clipboard. */
export function stripIsolates(text: string): string {
  return text.replace(/[\u2068\u2069]/g, "");
}
