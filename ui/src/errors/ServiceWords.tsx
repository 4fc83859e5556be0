/** What the service says in English, behind "Details": the words above them are in the language of the window. */

import { DetailsDisclosure } from "./DetailsDisclosure";

export function ServiceWords({ texts }: { texts: readonly string[] }) {
  return (
    <DetailsDisclosure>
      {texts.map((text) => (
        <p key={text} lang="en" dir="ltr" className="w-full text-fg-2 text-xs" data-selectable="">
          {text}
        </p>
      ))}
    </DetailsDisclosure>
  );
}
