import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Route, Router, Switch } from "wouter";
import { newCache } from "./api/cache.js";
import { Boundary, Waiting } from "./parts/page.js";
import { useGuardedLocation } from "./place/leaving.js";
import { SignIn } from "./screens/sign-in/screen.js";

const Link = lazy(() => import("./screens/link/screen.js"));
const SecondStep = lazy(() => import("./screens/second-step/screen.js"));
const Register = lazy(() => import("./screens/register/screen.js"));
const Verify = lazy(() => import("./screens/verify/screen.js"));
const Forgot = lazy(() => import("./screens/forgot/screen.js"));
const Reset = lazy(() => import("./screens/reset/screen.js"));
const SignedIn = lazy(() => import("./signed-in.js"));

const client = newCache();

export function App() {
  return (
    <QueryClientProvider client={client}>
      <Boundary>
        <Suspense fallback={<Waiting />}>
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
        </Suspense>
      </Boundary>
    </QueryClientProvider>
  );
}
