/** A chart of columns whose lengths the core has computed. Arrow keys move through the columns, and each says its name and amount. */

import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import { columnGeometry, nextColumn } from "./columnGeometry";

export interface ChartColumn {
  id: string;
  /** Under the column. */
  short: string;
  /** The same in a narrow window, where there is no room for it. */
  narrow?: string;
  /** The name as it is read. */
  name: string;
  /** The amount with its currency. */
  amount: string;
  /** In thousandths of the longest column; negative below the base line. */
  length: number;
}

export function ColumnChart({ label, columns }: { label: string; columns: readonly ChartColumn[] }) {
  const { t, direction } = useLocalizer();
  const [active, setActive] = useState(0);
  const [shown, setShown] = useState<number | null>(null);
  const chart = useRef<SVGSVGElement>(null);
  const at = Math.min(active, columns.length - 1);
  const {
    columns: shapes,
    base,
    width,
    height,
  } = columnGeometry(
    columns.map(({ length }) => length),
    direction,
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const to = event.ctrlKey || event.metaKey || event.altKey ? null : nextColumn(event.key, at, columns.length, direction);
    if (to === null) return;
    event.preventDefault();
    setActive(to);
    chart.current?.querySelector<SVGElement>(`[data-column="${to}"]`)?.focus();
  };
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setShown(null);
  };
  const reading = shown === null ? null : columns[shown];
  return (
    <div className="flex flex-col gap-1">
      <p aria-hidden="true" className="flex min-h-5 flex-wrap gap-x-2 text-fg-2 text-xs print:hidden">
        {reading && (
          <>
            <span>{reading.name}</span>
            <NumericText className="font-semibold text-fg">{reading.amount}</NumericText>
          </>
        )}
      </p>
      {/* The arrow keys belong to its columns, one of which has the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <svg
        ref={chart}
        role="group"
        aria-label={label}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        className="h-36 w-full overflow-visible"
      >
        {columns.map(({ id, name, amount, length }, index) => {
          const shape = shapes[index];
          return (
            shape && (
              <g
                key={id}
                role="img"
                aria-label={plainText(t("insights-column", { name, amount }))}
                tabIndex={index === at ? 0 : -1}
                data-column={index}
                onFocus={() => {
                  setActive(index);
                  setShown(index);
                }}
                onPointerEnter={() => setShown(index)}
                className="group/column outline-none"
              >
                {/* The whole slot, so that a short column can be pointed at. */}
                <rect
                  x={shape.x - 18}
                  y={0}
                  width={100}
                  height={height}
                  vectorEffect="non-scaling-stroke"
                  className="fill-transparent stroke-transparent stroke-2 group-hover/column:fill-sunken group-focus-visible/column:stroke-focus print:hidden"
                />
                <rect
                  x={shape.x}
                  y={shape.y}
                  width={shape.width}
                  height={shape.height}
                  className={length < 0 ? "fill-danger" : "fill-accent"}
                />
              </g>
            )
          );
        })}
        <line x1={0} x2={width} y1={base} y2={base} vectorEffect="non-scaling-stroke" className="stroke-line-strong" />
      </svg>
      <div aria-hidden="true" className="flex text-2xs text-fg-2">
        {columns.map(({ id, short, narrow }) => (
          <span key={id} className="min-w-0 flex-1 text-balance px-px text-center">
            {narrow === undefined ? (
              short
            ) : (
              <>
                <span className="max-narrow:hidden">{short}</span>
                <span className="narrow:hidden">{narrow}</span>
              </>
            )}
          </span>
        ))}
      </div>
    </div>
  );
}
