import { Table } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";

/** Columns of a table of malfunctions. @param begin  title of the column that says when */
export function MalfunctionHead({ begin }: { readonly begin: "instructor.from_to" | "instructor.when" }) {
  const { t } = useTexts();
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t("instructor.state")}</Table.Th>
        <Table.Th>{t("instructor.kind")}</Table.Th>
        <Table.Th miw="6.5rem">{t("instructor.site")}</Table.Th>
        <Table.Th>{t(begin)}</Table.Th>
        <Table.Th>{t("instructor.action")}</Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}
