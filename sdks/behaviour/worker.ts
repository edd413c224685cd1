/** Runs the cases of `behaviour.json` with the TypeScript SDK inside a Worker: one case a request. */
import { answerTo, type Request as Case } from './run-case.js';

export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await answerTo((await request.json()) as Case));
  },
};
