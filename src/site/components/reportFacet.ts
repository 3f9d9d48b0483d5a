/** What a report says of a kind. */
export interface ComponentReportFacet {
  /** In tables. */
  readonly label: string;
  /** Its place in the energy flows of a site. A plant that has taken energy in counts as storage. */
  readonly flowRole: "load" | "plant" | "storage";
}
