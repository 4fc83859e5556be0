/** What concerns the whole window, above its screen. */

import { type ComponentProps, type RefObject, useRef } from "react";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { FilesLeft } from "../import/FilesLeft";
import { WindowBanners } from "../windows/WindowBanners";
import { SessionBanners } from "./SessionBanners";

export interface BannersProps extends ComponentProps<typeof SessionBanners> {
  /** Takes the focus of a banner that goes. */
  main: RefObject<HTMLElement | null>;
}

export function Banners({ outage, main }: BannersProps) {
  const banners = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(banners, () => main.current);
  return (
    <div ref={banners} data-region="" className="shrink-0">
      <SessionBanners outage={outage} />
      <WindowBanners />
      <FilesLeft />
    </div>
  );
}
