/** Localizer of one language: typed Fluent messages and formatters. */

import { FluentBundle, FluentResource } from "@fluent/bundle";
import type { CalendarSystem, CurrencyDisplay, Digits, Language } from "../ipc/bindings";
import { keepOnLine, withoutJoiners } from "./arabicMarks";
import { createFormatters, type Formatters } from "./format";
import type { Messages } from "./messages";
import { type Texts, textsOf } from "./texts";

export type MessageId = keyof Messages;

/** Ids of the messages without arguments. */
type PlainId = { [Id in MessageId]: {} extends Messages[Id] ? Id : never }[MessageId];

/** Formats a message. Its arguments are typed; a message without arguments takes none. */
export type Translate = <Id extends MessageId>(id: Id, ...args: {} extends Messages[Id] ? [] : [Messages[Id]]) => string;

/** Messages and formatters of one language. */
export interface Localizer {
  language: Language;
  direction: "ltr" | "rtl";
  /** BCP 47 tag with explicit calendar and numbering system. */
  locale: string;
  t: Translate;
  /** Whether there is a message with an id that is only known at run time. */
  has: (id: string) => id is PlainId;
  format: Formatters;
}

/** The tag names calendar and digits, because the defaults of web views differ. */
export function localeTag(language: Language, digits: Digits, calendar: CalendarSystem = "gregorian"): string {
  const numbers = language === "ar" && digits === "arabic" ? "arab" : "latn";
  const dates = calendar === "ummAlQura" ? "islamic-umalqura" : "gregory";
  return `${language === "ar" ? "ar-SA" : "en-GB"}-u-ca-${dates}-nu-${numbers}`;
}

/** The chosen language, else Arabic if it is the system's, else English. */
export function chooseLanguage(chosen: Language | null, system: readonly string[]): Language {
  return chosen ?? (system[0]?.toLowerCase().startsWith("ar") ? "ar" : "en");
}

/** A localizer of a language whose texts are loaded. */
export function createLocalizer(
  language: Language,
  digits: Digits,
  texts: Texts = textsOf(language),
  { calendar = "gregorian", currency = "code" }: { calendar?: CalendarSystem; currency?: CurrencyDisplay } = {},
): Localizer {
  const locale = localeTag(language, digits, calendar);
  const bundle = new FluentBundle([locale]);
  for (const source of texts) bundle.addResource(new FluentResource(source));
  const t: Translate = (id, ...args) => {
    const pattern = bundle.getMessage(id)?.value;
    // `npm run messages` checks that every id exists in both languages.
    return pattern ? keepOnLine(bundle.formatPattern(pattern, args[0] ?? null)) : id;
  };
  const has = (id: string): id is PlainId => bundle.hasMessage(id);
  return { has, language, direction: language === "ar" ? "rtl" : "ltr", locale, t, format: createFormatters(locale, currency) };
}

/** A part of a text that keeps its own direction (U+2068, U+2069): beside Arabic words the parts of a number or a date would change places. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Removes what is only for the screen, as the bidirectional isolation marks that Fluent puts around arguments: for the clipboard and for labels. */
export function plainText(text: string): string {
  return withoutJoiners(text.replace(/[\u2068\u2069]/g, ""));
}
