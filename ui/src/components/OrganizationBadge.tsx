/** Badge of an organization: one or two letters on its colour. */

import type { OrganizationView } from "../ipc/bindings";

const sizes = { sm: "size-5 text-2xs", md: "size-6 text-2xs", lg: "size-9 text-sm" };

export function OrganizationBadge({ organization, size = "md" }: { organization: OrganizationView; size?: keyof typeof sizes }) {
  return (
    <span
      data-badge=""
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center rounded-md font-bold ${sizes[size]}`}
      style={{ backgroundColor: organization.color, color: readableTextColor(organization.color) }}
    >
      {organization.badge}
    </span>
  );
}

/** White or near-black, whichever has the higher contrast with the colour (WCAG 2.2, relative luminance). */
export function readableTextColor(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.0615 ? "#ffffff" : "#15171a";
}
