import { expect } from "vitest";
import { fresh, type Made, make } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { type Person, type Stage, stageOf } from "./support/stage.js";

const journey = journeyOn(() => stageOf("apps/teams"));

interface Team {
  readonly lead: Person;
  readonly team: Made;
  readonly project: Made;
  readonly task: Made;
  /** Adds somebody with that role. */
  add(name: string, role: string): Promise<Person>;
}

/** A team that its lead has made, with a project and a task. */
async function makeTeam(stage: Stage): Promise<Team> {
  const lead = await stage.person("Lena Lead");
  const token = await stage.cookieOf(lead);
  const own: Stage = { ...stage, app: { ...stage.app, token } };
  const team = await make(own, "teams", { name: fresh("Tea") });
  const project = await make(own, "projects", { teamId: team.id, name: fresh("Harvest") });
  const task = await make(own, "tasks", { projectId: project.id, title: fresh("Pick") });
  return {
    lead,
    team,
    project,
    task,
    async add(name, role) {
      const person = await stage.person(name);
      await make(own, "memberships", { teamId: team.id, userId: person.id, role });
      return person;
    },
  };
}

journey("members see in the dashboard what their role allows", async ({ stage, open }) => {
  const { lead, team, project, task, add } = await makeTeam(stage);
  const leader = await open({ as: lead, at: `/data/projects/${project.id}` });
  await leader.page.getByRole("textbox", { name: "Name" }).waitFor();
  await leader.page.getByRole("button", { name: "More actions" }).click();
  await leader.page.getByRole("menuitem", { name: "Delete…" }).waitFor();
  await leader.page.keyboard.press("Escape");

  const member = await open({
    as: await add("Mia Member", "member"),
    at: `/data/projects/${project.id}`,
  });
  await member.page.getByText("You may read this but not change it.").waitFor();
  await member.page.goto(`/data/teams/${team.id}`);
  await member.page.getByText("You may read this but not change it.").waitFor();
  await member.page.goto(`/data/tasks/${task.id}`);
  const title = member.page.getByRole("textbox", { name: "Title" });
  await title.fill(`${task.title}!`);
  await member.page.getByRole("button", { name: "Save", exact: true }).click();
  await member.page.getByRole("heading", { level: 1, name: `${task.title}!` }).waitFor();

  const guest = await open({ as: await add("Gus Guest", "guest"), at: `/data/tasks/${task.id}` });
  await guest.page.getByText("You may read this but not change it.").waitFor();
  expect(await guest.page.getByRole("button", { name: /^Save/ }).count()).toBe(0);
});

journey("strangers find nothing, and operators everything", async ({ stage, open }) => {
  const { team, task } = await makeTeam(stage);
  const stranger = await open({ as: await stage.person("Sam Stranger"), at: "/data/teams" });
  await stranger.page.getByText("There are no teams yet").waitFor();
  await stranger.page.goto(`/data/tasks/${task.id}`);
  await stranger.page.getByRole("heading", { name: "This no longer exists" }).waitFor();

  const operator = await open({ as: await stage.person("Ola Op", "admin"), at: "/data/teams" });
  await operator.page.getByRole("link", { name: String(team.name) }).waitFor();
  await operator.page.goto(`/data/tasks/${task.id}`);
  await operator.page.getByText("Your role, admin, may read this but not change it.").waitFor();
  await operator.page.goto(`/data/tasks/new?projectId=${task.projectId}`);
  await operator.page.getByRole("textbox", { name: "Title" }).waitFor();
});

journey("the last lead of a team stays, and a sentence explains it", async ({ stage, open }) => {
  const { lead, team } = await makeTeam(stage);
  const { page } = await open({ as: lead, at: `/data/memberships?filter[teamId]=${team.id}` });
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete membership" }).click();
  await page.getByText('A team cannot lose its last "lead"').waitFor();
});
