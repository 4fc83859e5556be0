/** The tenants of the environment, for an operator: search, creation, changes, plan, tax authority, history. */

import { EllipsisVertical, Plus } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { Button as AriaButton, MenuTrigger } from "react-aria-components";
import { NameText, Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { TextField } from "../components/Field";
import { LoadingText } from "../components/LoadingText";
import { MenuItem, MenuPopover } from "../components/Menu";
import { Select } from "../components/Select";
import { usePagedList, usePagedResultAnnouncement } from "../components/usePagedList";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { TenantState, TenantView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { AuthorityDialog } from "./AuthorityDialog";
import { ConfirmChange } from "./ConfirmChange";
import { ImpersonateTenantDialog } from "./ImpersonateTenantDialog";
import { SecretDialog, type ShownValue } from "./SecretDialog";
import { TenantDialog } from "./TenantDialog";
import { TenantHistoryDialog } from "./TenantHistoryDialog";
import { TenantPlanDialog } from "./TenantPlanDialog";
import { useAdministration } from "./useAdministration";

const SUBJECT = "tenants";
const STATES = ["active", "profileIncomplete", "disabled"] as const;

/** What is open about a tenant. */
type Opened =
  | { kind: "new" }
  | { kind: "edit" | "plan" | "authority" | "history" | "impersonate" | "disable"; tenant: TenantView };

export function Tenants() {
  const { t, format, language } = useLocalizer();
  const { organization } = useWorkspace();
  const [text, setText] = useState("");
  const [state, setState] = useState<TenantState | "all">("all");
  const [opened, setOpened] = useState<Opened | null>(null);
  const [secrets, setSecrets] = useState<{ name: string; values: ShownValue[] } | null>(null);
  const wanted = useDeferredValue(text.trim());
  const write = useAdministration(SUBJECT);
  const tenants = usePagedList(
    [organization.id, SUBJECT, wanted, state],
    (page) =>
      withBinding(organization.id, (binding) => commands.listTenants(binding, wanted, state === "all" ? null : state, page)),
    (page) => page.tenants,
  );
  usePagedResultAnnouncement(tenants, wanted === "" && state === "all" ? "" : `${state} ${wanted}`, t("tenants-none"));
  const nameOf = ({ fields, id }: TenantView) => (language === "ar" ? fields.nameAr : fields.name) || fields.name || id;
  const close = () => setOpened(null);
  const open = (next: Opened) => {
    write.clearError();
    setOpened(next);
  };
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 max-w-80 flex-1">
          <TextField label={t("tenants-search")} value={text} onChange={setText} />
        </div>
        <div className="w-44">
          <Select
            label={t("tenants-state")}
            value={state}
            onChange={setState}
            choices={[{ id: "all" as const, label: t("tenants-all") }, ...STATES.map((id) => ({ id, label: t(`tenant-${id}`) }))]}
          />
        </div>
        <Button variant="primary" onPress={() => open({ kind: "new" })} icon={<Plus size={15} aria-hidden="true" />}>
          {t("tenants-add")}
        </Button>
      </div>
      {write.error && <AdministrationError error={write.error} />}
      {tenants.query.error && (
        <AdministrationError error={commandError(tenants.query.error)} onRetry={() => void tenants.query.refetch()} />
      )}
      {tenants.query.isPending && <LoadingText />}
      {tenants.rows && (
        <ul aria-label={t("administration-tenants")} className="rounded-md border border-line-strong bg-surface">
          {tenants.rows.length === 0 && <li className="px-3 py-4 text-fg-2">{t("tenants-none")}</li>}
          {tenants.rows.map((tenant) => (
            <li
              key={tenant.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-2 last:border-b-0"
            >
              <span className="min-w-44 flex-1">
                <span className="block font-semibold">
                  <NameText>{nameOf(tenant)}</NameText>
                </span>
                <span className="block break-all text-fg-2 text-xs">
                  <bdi dir="ltr">
                    {tenant.id}
                    <Separator />
                    {tenant.domain}
                  </bdi>
                </span>
              </span>
              <span className={`w-44 text-xs ${tenant.state === "disabled" ? "text-danger" : "text-fg-2"}`}>
                {t(`tenant-${tenant.state}`)}
                {tenant.disabled !== null && (
                  <span className="block">{t("tenant-disabled-since", { time: format.dateTime(tenant.disabled) })}</span>
                )}
              </span>
              <TenantMenu
                label={t("tenants-menu", { name: nameOf(tenant) })}
                tenant={tenant}
                onOpen={(kind) => open({ kind, tenant })}
                onEnable={() => void write.run((binding) => commands.setTenantEnabled(binding, tenant.id, true))}
              />
            </li>
          ))}
        </ul>
      )}
      {tenants.end}
      {opened && dialogOf(opened)}
      {secrets && (
        <SecretDialog
          title={t("tenant-created-title", { name: secrets.name })}
          hint={t("tenant-created-hint")}
          values={secrets.values}
          onClose={() => setSecrets(null)}
        />
      )}
    </>
  );

  function dialogOf(shown: Opened): ReactNode {
    switch (shown.kind) {
      case "new":
        return (
          <TenantDialog
            tenant={null}
            onClose={close}
            onCreated={(created) => {
              close();
              setSecrets({
                name: nameOf(created.tenant),
                values: [
                  { label: t("client-id"), value: created.clientId },
                  { label: t("client-secret"), value: created.clientSecret },
                ],
              });
            }}
          />
        );
      case "edit":
        return <TenantDialog tenant={shown.tenant} onClose={close} onCreated={close} />;
      case "plan":
        return <TenantPlanDialog id={shown.tenant.id} name={nameOf(shown.tenant)} onClose={close} />;
      case "authority":
        return <AuthorityDialog id={shown.tenant.id} name={nameOf(shown.tenant)} onClose={close} />;
      case "history":
        return <TenantHistoryDialog id={shown.tenant.id} name={nameOf(shown.tenant)} onClose={close} />;
      case "impersonate":
        return <ImpersonateTenantDialog id={shown.tenant.id} name={nameOf(shown.tenant)} onClose={close} />;
      case "disable":
        return (
          <ConfirmChange
            title={t("tenant-disable-title", { name: nameOf(shown.tenant) })}
            hint={t("tenant-disable-hint")}
            confirm={t("tenant-disable", { name: nameOf(shown.tenant) })}
            subject={SUBJECT}
            change={(run) => run((binding) => commands.setTenantEnabled(binding, shown.tenant.id, false))}
            onClose={close}
          />
        );
    }
  }
}

function TenantMenu({
  label,
  tenant,
  onOpen,
  onEnable,
}: {
  label: string;
  tenant: TenantView;
  onOpen: (kind: Exclude<Opened["kind"], "new">) => void;
  onEnable: () => void;
}) {
  const { t } = useLocalizer();
  return (
    <MenuTrigger>
      <AriaButton
        aria-label={label}
        className="inline-flex size-7 items-center justify-center rounded-md text-fg-2 data-[hovered]:bg-sunken data-[hovered]:text-fg"
      >
        <EllipsisVertical size={15} aria-hidden="true" />
      </AriaButton>
      <MenuPopover label={label} placement="bottom end">
        <MenuItem id="edit" onAction={() => onOpen("edit")}>
          {t("tenant-edit")}
        </MenuItem>
        <MenuItem id="plan" onAction={() => onOpen("plan")}>
          {t("tenant-plan-open")}
        </MenuItem>
        <MenuItem id="authority" onAction={() => onOpen("authority")}>
          {t("authority-open")}
        </MenuItem>
        <MenuItem id="history" onAction={() => onOpen("history")}>
          {t("tenant-history-open")}
        </MenuItem>
        <MenuItem id="impersonate" onAction={() => onOpen("impersonate")}>
          {t("impersonate-open")}
        </MenuItem>
        {tenant.state === "disabled" ? (
          <MenuItem id="enable" onAction={onEnable}>
            {t("tenant-enable")}
          </MenuItem>
        ) : (
          <MenuItem id="disable" onAction={() => onOpen("disable")}>
            {t("tenant-disable-open")}
          </MenuItem>
        )}
      </MenuPopover>
    </MenuTrigger>
  );
}
