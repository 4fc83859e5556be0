/** What the rarely used fields of a document hold, by group, below its amounts; nothing if they are all empty. */

import { NameText, NumericText } from "../components/BidiText";
import { buyerDetailsOf, detailsOf, documentGroups, lineDetailsOf } from "../editor/details/detailFields";
import { buyerFacts, type Fact, groupFacts, lineFacts } from "../editor/details/facts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceContent } from "../ipc/bindings";

export function MoreFacts({ content }: { content: InvoiceContent }) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const details = detailsOf(content);
  const groups = [
    { key: "buyer", title: t("section-buyer"), facts: buyerFacts(buyerDetailsOf(content.buyer), localizer) },
    ...documentGroups.map((group) => ({
      key: group as string,
      title: t(`group-${group}`),
      facts: groupFacts(details, group, localizer),
    })),
    ...content.lines.map((line, index) => ({
      key: `line ${index}`,
      title: t("line-number", { line: format.integer(index + 1) }),
      facts: lineFacts(lineDetailsOf(line), localizer),
    })),
  ].filter(({ facts }) => facts.length > 0);
  return groups.map(({ key, title, facts }) => (
    <section key={key} aria-label={title} className="mt-4 flex flex-col gap-1">
      <h3 className="font-semibold text-fg-2 text-xs">{title}</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {facts.map((fact, index) => (
          // Two fields can hold the same text, and the list does not change.
          // oxlint-disable-next-line react/no-array-index-key
          <FactRow key={index} fact={fact} />
        ))}
      </dl>
    </section>
  ));
}

function FactRow({ fact: { label, text } }: { fact: Fact }) {
  return (
    <div className="contents">
      <dt className="text-fg-2">
        <bdi>{label}</bdi>
      </dt>
      <dd className="min-w-0 break-words text-end">
        {/^[\x20-\x7e]*$/.test(text) ? <NumericText>{text}</NumericText> : <NameText>{text}</NameText>}
      </dd>
    </div>
  );
}
