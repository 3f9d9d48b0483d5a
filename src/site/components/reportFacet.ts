/** Report facet of a kind. */
export interface ComponentReportFacet {
  /** Name of the kind in tables. */
  readonly label: string;
  /** Role in the energy flows of a site. A plant that has imported energy counts as storage. */
  readonly flowRole: "load" | "plant" | "storage";
}
