/** What else can be done with a line: its rarely used fields, a price with tax, how its amount comes about. */

import { Ellipsis } from "lucide-react";
import { MenuTrigger } from "react-aria-components";
import { IconButton } from "../../components/Button";
import { MenuItem, MenuPopover } from "../../components/Menu";
import { useLocalizer } from "../../i18n/LocalizerProvider";

export interface LineMenuProps {
  index: number;
  isDisabled: boolean;
  onMore: (index: number, open: boolean) => void;
  onPriceWithTax: (index: number) => void;
  onExplain: (path: string) => void;
}

export function LineMenu({ index, isDisabled, onMore, onPriceWithTax, onExplain }: LineMenuProps) {
  const { t, format } = useLocalizer();
  const label = t("line-menu", { line: format.integer(index + 1) });
  return (
    <MenuTrigger>
      <IconButton label={label} icon={<Ellipsis size={14} aria-hidden="true" />} />
      <MenuPopover label={label} placement="bottom end">
        <MenuItem shortcut="lineDetails" onAction={() => onMore(index, true)}>
          {t("more-line")}
        </MenuItem>
        <MenuItem shortcut="priceWithTax" isDisabled={isDisabled} onAction={() => onPriceWithTax(index)}>
          {t("price-with-tax")}
        </MenuItem>
        <MenuItem shortcut="explain" onAction={() => onExplain(`lines[${index}].net`)}>
          {t("explain-title")}
        </MenuItem>
      </MenuPopover>
    </MenuTrigger>
  );
}
