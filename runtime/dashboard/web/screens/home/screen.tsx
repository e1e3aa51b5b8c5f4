import { useQuery } from "@tanstack/react-query";
import { homeQuery } from "../../api/account/queries.js";
import { useSession } from "../../api/account/session.js";
import { may } from "../../api/records/descriptors.js";
import { periods, usualPeriod } from "../../api/records/numbers.js";
import { Period, usePeriod } from "../../parts/chart/period.js";
import { Title } from "../../parts/page/page.js";
import { screen } from "../../parts/page/screen.js";
import { enHome } from "../../text/en/home/home.js";
import type { BlocksProps } from "./blocks/blocks.js";
import "./screen.css";
import { Coming, Numbers } from "./tiles.js";

const text = enHome;

const Blocks = screen<BlocksProps>(() => import("./blocks/blocks.js"), <Usual isComing />);

/** The stored blocks, or the most used resources in numbers if none are stored or they cannot be read. */
export default function Home() {
  const { user } = useSession();
  const home = useQuery(homeQuery(user.id));
  if (home.data === undefined) return <Usual isComing={home.isPending} />;
  const { own, shared } = home.data;
  return own === null && shared === null ? <Usual isComing={false} /> : <Blocks home={home.data} />;
}

function Usual({ isComing }: { readonly isComing: boolean }) {
  const { user, resources } = useSession();
  const [days, setDays] = usePeriod(periods, usualPeriod);
  const hasNumbers = resources.some((one) => may(one, "stats"));
  return (
    <>
      <div className="top">
        <Title>{text.hello(user.name)}</Title>
        {hasNumbers ? <Period periods={periods} value={days} onChange={setDays} /> : null}
      </div>
      <div className="content">{isComing ? <Coming /> : <Numbers days={days} />}</div>
    </>
  );
}
