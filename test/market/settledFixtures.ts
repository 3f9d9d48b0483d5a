/** The beginning of a scenario: a VPP of one lossless battery of 1,000 kW that holds 600 kWh. */
export const SETTLED_HEAD = `version: 1
name: settled
timezone: Asia/Tokyo
start: 2026-06-01T00:00:00+09:00
end: 2026-06-01T06:00:00+09:00
sites:
  - name: battery
    constraints: {voltage_class: high, measurement_point: grid, site_import_max_kw: 1200, site_export_max_kw: 1000}
    components:
      - {component_id: bat, component_type: battery, rated_cap: 1000, import_pwr_max: 1200, export_pwr_max: 1000,
         soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 60, charge_efficiency: 1, discharge_efficiency: 1}}
vpps:
  - {name: tokyo, members: [{site: battery, resource_type: battery}]}
`;
