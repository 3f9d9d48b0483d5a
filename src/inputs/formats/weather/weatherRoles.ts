/** Roles of weather columns as in the PV model, with their units and the possible values of a sensor. */
export const WEATHER = {
  ghi: { role: "ghi_w_m2", unit: "W/m2", minimum: -50, maximum: 2000 },
  dni: { role: "dni_w_m2", unit: "W/m2", minimum: -50, maximum: 2000 },
  dhi: { role: "dhi_w_m2", unit: "W/m2", minimum: -50, maximum: 2000 },
  temperature: { role: "temp_air_c", unit: "°C", minimum: -90, maximum: 70 },
  wind: { role: "wind_m_s", unit: "m/s", minimum: 0, maximum: 120 },
  humidity: { role: "humidity_pct", unit: "%", minimum: 0, maximum: 110 },
  sunshine: { role: "sunshine_h", unit: "h", minimum: 0, maximum: 24 },
  rain: { role: "rain_mm", unit: "mm", minimum: 0, maximum: 1000 },
} as const;

/** MJ/m² of an hour as mean W/m²: 10^6 / 3600. */
export const MJ_PER_HOUR = { exponent: 6, factor: 1, divisor: 3600 } as const;
