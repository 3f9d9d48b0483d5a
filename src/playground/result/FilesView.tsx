import { Anchor, Table } from "@mantine/core";
import type { Certificate } from "../../browser/index.ts";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { formatNumber } from "../../dashboard/format/numbers.ts";
import { usePlaygroundState } from "../app/hooks.ts";
import { download } from "../app/share.ts";

/** The files of the report, and whether a report that was dropped is what its scenario gives. */
export function FilesView() {
  const { t } = useTexts();
  const { result, certificate } = usePlaygroundState();
  return (
    <div className="files-view">
      {certificate === null ? <p className="muted">{t("playground.verify_help")}</p> : <Verified of={certificate} />}
      {result === null ? (
        <p className="muted">{t("playground.no_report")}</p>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t("playground.file")}</Table.Th>
              <Table.Th scope="col" className="num">
                {t("playground.bytes")}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {Object.entries(result.files).map(([name, bytes]) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <Anchor component="button" fz="sm" onClick={() => download(name, bytes)}>
                    {name}
                  </Anchor>
                </Table.Td>
                <Table.Td className="num">{formatNumber(bytes.length, 0)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  );
}

const HASH_CHARS = 8;

function Verified({
  of: { verified, files, inputs, version, reported_version, engine, scenario_hash },
}: {
  of: Certificate;
}) {
  const { t } = useTexts();
  const changed = [...inputs, ...files].filter(({ same }) => !same).map(({ file }) => file);
  const facts = { hash: scenario_hash.slice(0, HASH_CHARS), version, engine };
  return (
    <div data-testid="certificate" data-verified={verified}>
      <p>
        <b>{t(verified ? "playground.verified" : "playground.differs")}</b>{" "}
        {verified
          ? t("playground.verified_facts", { ...facts, count: files.length })
          : t("playground.differs_facts", { ...facts, count: changed.length })}
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map((file) => (
            <li key={file}>{file}</li>
          ))}
        </ul>
      )}
      {version !== reported_version && <p>{t("playground.other_version", { reported: reported_version, version })}</p>}
    </div>
  );
}
