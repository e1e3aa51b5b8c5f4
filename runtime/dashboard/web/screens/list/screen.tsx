import { useSession } from "../../api/account/session.js";
import { Skeleton, Title } from "../../parts/page/page.js";
import { en } from "../../text/en.js";
import { List } from "./list.js";

export interface ListProps {
  readonly name: string;
  readonly isLoading: boolean;
}

export default function ListScreen({ name, isLoading }: ListProps) {
  const { resources } = useSession();
  const resource = resources.find((one) => one.name === name);
  if (resource !== undefined) return <List resource={resource} />;
  return (
    <>
      <div className="top">
        <Title>{isLoading ? en.common.loading : en.missing.title}</Title>
      </div>
      <div className="content">
        {isLoading ? <Skeleton /> : <p className="muted">{en.missing.text}</p>}
      </div>
    </>
  );
}
