// What a person does at both stations, by clicking and typing, against a real server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { needingChromium } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { PageServer, typeTime, untilNetworkIdle } from "./pageServer.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");
/** An outage of battery-large is noticed at 07:41 JST, in the award morning-reserve. */
const OUTAGE_NOTICED = "2026-05-19T22:52:10Z";

needingChromium.describe("journeys at both stations", () => {
  const folder = createTemporaryFolder("page");
  let server: PageServer;
  beforeAll(async () => {
    const opening = ["--paused", "--open-at", "2026-05-20T07:35:00+09:00", "--no-journal", "--rate-limits", "off"];
    server = await PageServer.start([QUICKSTART, ...opening, "--report", join(folder, "report")]);
    await server.advanceTo(OUTAGE_NOTICED);
  });
  afterAll(() => server?.stop());

  test("an alarm is seen, read of, and acknowledged by key", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/alarms" });
    const line = page.getByRole("region", { name: "Most urgent alarm" });
    await expect.poll(() => line.textContent()).toContain("battery-large is out of service");
    await expect.poll(() => line.textContent()).toContain("07:41:00");
    await page.getByText("Signs of this cause").first().click();
    await page.getByText("231.3 kW of morning-reserve are uncovered").last().waitFor();
    await page.keyboard.press("a");
    await expect.poll(() => line.textContent()).toContain("factory");
    await expect.poll(() => line.textContent()).toContain("1 acknowledged");
    await page.reload();
    await expect.poll(() => line.textContent()).toContain("1 acknowledged");
    expect(errors).toEqual([]);
  });

  test("two stations show one list, and one acknowledgement is for both", async () => {
    const [trainee, other] = [
      await server.open({ station: "trainee", route: "/alarms" }),
      await server.open({ station: "instructor", route: "/alarms" }),
    ];
    const listOf = ({ page }: typeof trainee) =>
      page
        .getByRole("button", { name: /^(Acknowledge|Read|Shelve): / })
        .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
    await trainee.page.getByText("factory is 25.9 kW below its set-point").first().waitFor();
    await expect.poll(async () => JSON.stringify(await listOf(other))).toBe(JSON.stringify(await listOf(trainee)));
    const acknowledge = (page: typeof trainee.page) => page.getByRole("button", { name: /^Acknowledge: factory/ });
    await acknowledge(other.page).click();
    await acknowledge(trainee.page).waitFor({ state: "detached" });
    await trainee.page.getByText("acknowledged by Instructor").waitFor();
    const journal = trainee.page.getByRole("region", { name: "All changes of alarms" });
    await expect.poll(() => journal.textContent()).toContain("Acknowledged");
    await trainee.page.getByRole("button", { name: /^Shelve: factory/ }).click();
    await trainee.page.getByRole("menuitem", { name: "For 30 min" }).click();
    await other.page.getByRole("button", { name: /^Take back from the shelf: factory/ }).waitFor();
    expect([trainee.errors, other.errors]).toEqual([[], []]);
  });

  test("events are filtered by kind, and the filter stands in the address", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/alarms" });
    const events = page.getByRole("region", { name: "All events" });
    await events.getByText("Award started").first().waitFor();
    await page.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "Status changed" }).click();
    await expect.poll(() => events.getByRole("listitem").count()).toBe(1);
    expect(await events.textContent()).toContain("battery-large");
    expect(page.url()).toContain("kind=status_changed");
    await events.getByRole("link", { name: /Show 07:41:00 on the chart/ }).click();
    await expect.poll(() => page.url()).toContain("#/now");
    expect(page.url()).toContain("at=2026-05-19T22%3A41%3A00Z");
    expect(errors).toEqual([]);
  });

  test("a form shows its rules, the API's refusal at the field, and the request as curl", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/instruct?target=site:cold-store" });
    await page.getByText("Immediate", { exact: true }).click();
    await page.getByLabel("Change of power, kW").fill("-30");
    await page.getByLabel("For, minutes").fill("2000");
    await page.getByText("Allowed: 1 to 1440 whole minutes").waitFor();
    await page.getByLabel("For, minutes").fill("30");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const field = page.locator('[data-field="amount"]');
    await field.getByText("Refused: dr_reduction_below_minimum").waitFor();
    await page.getByText('"error_type": "dr_reduction_below_minimum"').waitFor();
    expect(await page.getByText("curl -X POST").textContent()).toContain('"delta_kw":-30,"duration_minutes":30');
    await page.getByLabel("Change of power, kW").fill("-40");
    await expect.poll(() => field.textContent()).not.toContain("Refused");
    expect(errors).toEqual([]);
  });

  test("an instruction beside an award that has priority says before and after sending that it has no effect", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/instruct" });
    await page.getByText("Immediate", { exact: true }).click();
    await page.getByLabel("Change of power, kW").fill("-200");
    await page.getByLabel("For, minutes").fill("5");
    const preview = page.getByRole("region", { name: "If you sent it now" });
    await preview.getByText("has priority; the new instruction has no effect beside it").waitFor();
    expect(await preview.getByRole("table").count()).toBe(0);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Accepted without effect: all 200.0 kW are uncovered").waitFor();
    await preview.getByText("Sent. Change the form").waitFor();
    // What was filled in is kept on the way to another page and back.
    await page.getByRole("link", { name: "Sites", exact: true }).click();
    await page.getByRole("link", { name: "Instruct", exact: true }).click();
    expect(await page.getByLabel("Change of power, kW").inputValue()).toBe("-200");
    expect(await page.getByLabel("For, minutes").inputValue()).toBe("5");
    expect(errors).toEqual([]);
  });

  test("a schedule is drafted, previewed, created and deleted", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/schedules" });
    await page.getByRole("button", { name: "New schedule" }).click();
    await page.getByRole("combobox", { name: "Product" }).click();
    await page.getByRole("option", { name: /^RR, tertiary/ }).click();
    await page.getByLabel("Change of power, kW").fill("-300");
    await typeTime(page, "Start", "0900");
    const tracks = page.getByRole("figure");
    await expect.poll(() => tracks.textContent()).toContain("RR −300.0 kW");
    const preview = page.getByRole("region", { name: "If you sent it now" });
    await preview.getByText("battery-medium").waitFor();
    const refusing = preview.getByRole("row").filter({ hasText: "cold-store" });
    await expect.poll(() => refusing.textContent()).toContain("the load reduction is below the site's minimum");
    await typeTime(page, "Start", "0800");
    await preview.getByText(/, 07:00–08:30: runs beside it/).waitFor();
    await typeTime(page, "Start", "0900");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("status").getByText("Accepted").waitFor();
    const row = page.getByRole("row").filter({ hasText: "RR, tertiary" });
    await row.getByText("accepted").waitFor();
    await row.getByRole("button", { name: /^Delete/ }).click();
    await row.getByRole("button", { name: "Delete it" }).click();
    await expect.poll(() => row.count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("an instruction has a name on every page, and no id", async () => {
    const { page } = await server.open({ station: "trainee", route: "/now" });
    for (const name of ["Now", "Sites", "Schedules", "Alarms", "Report"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await untilNetworkIdle(page);
      expect(await page.locator(".shell").innerText()).not.toMatch(/[0-9a-f]{32}/);
    }
    await page.getByRole("link", { name: "Alarms", exact: true }).click();
    await page
      .getByText(/Immediate \d\d:\d\d–\d\d:\d\d/)
      .first()
      .waitFor();
    await page.context().close();
  });

  test("both stations side by side: what the instructor breaks, the trainee notices, and not before", async () => {
    const instructor = await server.open({ station: "instructor", route: "/" });
    const trainee = await server.open({ station: "trainee", route: "/alarms" });
    const panel = instructor.page.getByRole("region", { name: "Malfunctions" });
    // What is chosen on a page leaves its reader there, with or without its name in the address.
    await instructor.page.getByText("4 h", { exact: true }).click();
    await expect.poll(() => new URL(instructor.page.url()).hash).toBe("#/?window=4h");
    await panel.first().waitFor();
    await instructor.page.getByRole("textbox", { name: "Label" }).fill("before link down");
    await instructor.page.keyboard.press("Enter");
    await instructor.page.getByRole("rowheader", { name: "07:52:10" }).waitFor();
    await panel.getByRole("combobox", { name: "Kind" }).click();
    await instructor.page.getByRole("option", { name: "outage" }).click();
    await panel.getByRole("combobox", { name: "Site" }).click();
    await instructor.page.getByRole("option", { name: "battery-medium" }).click();
    await panel.getByLabel("For, min").fill("10");
    await panel.getByRole("button", { name: "Insert" }).click();
    await panel.getByRole("rowheader", { name: "battery-medium" }).waitFor();
    expect(await trainee.page.content()).not.toContain("battery-medium is out of service");
    const desk = await server.open({ station: "trainee", route: "/instruct" });
    await desk.page.getByText("Immediate", { exact: true }).click();
    await desk.page.getByLabel("Change of power, kW").fill("-50");
    await desk.page.getByLabel("For, minutes").fill("5");
    await desk.page.getByRole("button", { name: "Send", exact: true }).click();
    const answer = desk.page.getByRole("heading", { name: /^Answer 200/ });
    await answer.waitFor();
    const actions = instructor.page.getByRole("region", { name: "Trainee's actions" });
    await actions.getByText("VPP east: immediate instruction of −50.0 kW for 5 min").waitFor();
    await server.call("POST", "/sandbox/clock/advance", { by: "PT60S" });
    await trainee.page.getByText("battery-medium is out of service").first().waitFor();
    await trainee.page.getByRole("button", { name: /Acknowledge: battery-medium/ }).click();
    await instructor.page
      .getByText(/battery-medium is out of service/)
      .first()
      .waitFor();
    await panel.getByRole("button", { name: "End now: outage at battery-medium" }).click();
    await expect.poll(() => panel.getByRole("rowheader", { name: "battery-medium" }).count()).toBe(0);
    await instructor.page.getByRole("button", { name: /^Backtrack to 07:52:10/ }).click();
    await instructor.page.getByRole("button", { name: "Go back" }).click();
    await expect.poll(() => instructor.page.getByRole("timer").textContent()).toContain("07:52:10");
    await expect.poll(() => trainee.page.getByRole("timer").textContent()).toContain("07:52:10");
    // What was answered, and what was inserted, belongs to the time that was left.
    await expect.poll(() => answer.count()).toBe(0);
    await expect.poll(() => panel.getByText("outage at battery-medium inserted").count()).toBe(0);
    await actions.getByText("Instructor: back to a snapshot").waitFor();
    expect([...instructor.errors, ...trainee.errors]).toEqual([]);
  });

  test("the instructor writes the report, opens it, and exports the session; the trainee may not", async () => {
    const { page, errors } = await server.open({ station: "instructor", route: "/report" });
    const shares = page.getByRole("region", { name: "Before and in this session" });
    await shares.getByRole("row").filter({ hasText: "morning-reserve" }).waitFor();
    // Nothing was missing before 07:35, and nothing is before the outage at 07:40:20.
    const cells = shares.getByRole("row").filter({ hasText: "night-charge" }).getByRole("cell");
    expect(await cells.last().textContent()).toBe("0.0");
    await page.getByRole("button", { name: "Write the report" }).click();
    await page.getByText(`Written to ${join(folder, "report")}`).waitFor();
    const [report] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("button", { name: "Open the report" }).click(),
    ]);
    await report.getByText("morning-reserve").first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export the session as a scenario" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("quickstart-session.yaml");
    expect(readFileSync(await file.path(), "utf8")).toContain("morning-reserve");
    expect(errors).toEqual([]);
    const trainee = await server.open({ station: "trainee", route: "/report" });
    await trainee.page.getByText("In this session the instructor writes the report.").first().waitFor();
    expect(await trainee.page.getByRole("button", { name: "Write the report" }).isDisabled()).toBe(true);
  });

  test("the instructor's page asks for the token and refuses another one", async () => {
    const { page } = await server.open({ station: "trainee" });
    await page.goto(`${server.url}/instructor`);
    await page.getByLabel("Token").fill("guessed");
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByText("refuses this token").waitFor();
  });
});
