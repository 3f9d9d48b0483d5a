import { Box, Group, Table } from "@mantine/core";
import type { SiteSpecifications } from "../../../api/client/index.ts";
import { knownKey } from "../../../texts/catalogue.ts";
import { type Texts, useTexts, useTimes } from "../../app/preferences.tsx";
import { useNowMs, useSiteApi, useSiteRead } from "../../data/hooks.ts";
import { formatMinutes } from "../../format/durations.ts";
import { formatChange, formatKw } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel, ResourceView, ScrollWindow } from "../../parts/Panel.tsx";

interface SiteProps {
  readonly site: string;
}

type SpecificationComponent = SiteSpecifications["components"][number];

/** What the site API says of the components. Tool tips have the API's own names. */
export function ComponentsPanel({ site }: SiteProps) {
  const { t } = useTexts();
  const api = useSiteApi(site);
  const specifications = useSiteRead(`specifications ${site}`, () => api.specifications());
  return (
    <Panel title={t("site.components")}>
      <ResourceView resource={specifications}>
        {({ components, site_constraints = {} }) => (
          <>
            {components.map((component) => (
              <ComponentFacts key={component.component_id} component={component} />
            ))}
            <Facts facts={site_constraints} />
          </>
        )}
      </ResourceView>
    </Panel>
  );
}

function ComponentFacts({ component }: { readonly component: SpecificationComponent }) {
  const { t } = useTexts();
  const { component_id, component_type, ...facts } = component;
  // The site API has one type for all that generates, with its kind beside it.
  const kind = knownKey(`fact_value.${String((facts as Readonly<Record<string, unknown>>).generator_kind)}`);
  return (
    <>
      <h3>
        {component_id} <span className="muted">{t(kind ?? `component.${component_type}`)}</span>
      </h3>
      <Facts facts={facts} />
    </>
  );
}

/** Units of the API's keys, by how they end. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_kw_per_min$/, "kW/min"],
  [/_kwh$|^rated_cap$/, "kWh"],
  [/_kw$|_pwr_(max|min)$/, "kW"],
  [/^soc_|_pct$|_limit$/, "%"],
];

function factText(key: string, value: unknown, t: Texts["t"]): string {
  if (typeof value === "boolean") return t(value ? "fact.yes" : "fact.no");
  if (typeof value !== "number") {
    const valueKey = knownKey(`fact_value.${String(value)}`);
    return valueKey === null ? String(value) : t(valueKey);
  }
  if (key.endsWith("_minutes")) return formatMinutes(value, t);
  const unit = UNITS.find(([pattern]) => pattern.test(key))?.[1];
  return unit === undefined ? formatKw(value) : `${formatKw(value)}\u00a0${unit}`;
}

/** Keys and values of the API in words; a key that the catalogue does not have, by its name in the API. */
function Facts({ facts }: { readonly facts: Readonly<Record<string, unknown>> }) {
  const { t } = useTexts();
  const labelOf = (key: string) => {
    const label = knownKey(`fact.${key}`);
    return label === null ? key : t(label);
  };
  return (
    <Box component="dl" mb="sm">
      {Object.entries(facts).map(([key, value]) => (
        <Group key={key} align="start" justify="space-between" wrap="nowrap" py={1} title={key}>
          <Box component="dt" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {labelOf(key)}
          </Box>
          <dd>{factText(key, value, t)}</dd>
        </Group>
      ))}
    </Box>
  );
}

/** Slots from the present half hour on. */
const SLOTS_SHOWN = 8;

export function SlotsPanel({ site }: SiteProps) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const api = useSiteApi(site);
  const plan = useSiteRead(`plan ${site}`, () => api.servicePlan());
  return (
    <Panel title={t("site.slots")}>
      <ResourceView resource={plan}>
        {({ plans }) => (
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("site.slot_time")}</Table.Th>
                <Table.Th className="num">{t("column.baseline")}</Table.Th>
                <Table.Th className="num">{t("site.slot_planned")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {plans.slice(0, SLOTS_SHOWN).map(({ start_time, baseline_kw, scheduled_delta_kw }) => (
                <Table.Tr key={start_time}>
                  <Table.Td title={start_time}>{times.instant(msOf(start_time), nowMs)}</Table.Td>
                  <Table.Td className="num">{formatKw(baseline_kw)}</Table.Td>
                  <Table.Td className="num">
                    {scheduled_delta_kw === null ? t("value.none") : formatChange(scheduled_delta_kw)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </ResourceView>
    </Panel>
  );
}

export function SchedulesPanel({ site }: SiteProps) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const api = useSiteApi(site);
  const schedules = useSiteRead(`schedules ${site}`, () => api.schedules());
  const timeOf = (iso: string) => times.instant(msOf(iso), nowMs);
  return (
    <Panel title={t("site.schedules")}>
      <ScrollWindow label={t("site.schedules")} height="10rem">
        <ResourceView resource={schedules}>
          {({ schedules: list }) =>
            list.length === 0 ? (
              <EmptyState>{t("site.no_schedules")}</EmptyState>
            ) : (
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t("site.schedule_time")}</Table.Th>
                    <Table.Th>{t("site.schedule_sku")}</Table.Th>
                    <Table.Th className="num">{t("site.schedule_kw")}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map(({ schedule_id, start_time, end_time, sku, delta_kw, site_kw, fcr_response_kw }) => (
                    <Table.Tr key={schedule_id}>
                      <Table.Td>
                        {timeOf(start_time)}–{timeOf(end_time)}
                      </Table.Td>
                      <Table.Td>{sku?.toUpperCase() ?? "–"}</Table.Td>
                      <Table.Td className="num">{formatKw(delta_kw ?? site_kw ?? fcr_response_kw ?? 0)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )
          }
        </ResourceView>
      </ScrollWindow>
    </Panel>
  );
}
