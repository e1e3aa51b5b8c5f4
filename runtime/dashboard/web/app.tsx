import { QueryClientProvider } from "@tanstack/react-query";
import { Route, Router, Switch } from "wouter";
import { newCache } from "./api/cache.js";
import { Boundary } from "./parts/page.js";
import { screen } from "./parts/screen.js";
import { useGuardedLocation } from "./place/leaving.js";
import { SignIn } from "./screens/sign-in/screen.js";

const Link = screen(() => import("./screens/link/screen.js"));
const SecondStep = screen(() => import("./screens/second-step/screen.js"));
const Register = screen(() => import("./screens/register/screen.js"));
const Verify = screen(() => import("./screens/verify/screen.js"));
const Forgot = screen(() => import("./screens/forgot/screen.js"));
const Reset = screen(() => import("./screens/reset/screen.js"));
const SignedIn = screen(() => import("./signed-in.js"));

const client = newCache();

export function App() {
  return (
    <QueryClientProvider client={client}>
      <Boundary>
        <Router hook={useGuardedLocation}>
          <Switch>
            <Route path="/sign-in" component={SignIn} />
            <Route path="/sign-in/link" component={Link} />
            <Route path="/sign-in/second-step" component={SecondStep} />
            <Route path="/register" component={Register} />
            <Route path="/verify-email" component={Verify} />
            <Route path="/forgot-password" component={Forgot} />
            <Route path="/reset-password" component={Reset} />
            <Route component={SignedIn} />
          </Switch>
        </Router>
      </Boundary>
    </QueryClientProvider>
  );
}
