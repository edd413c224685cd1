import { ApiError, Watchword } from 'watchword';

/** Made at the first request: a build has no key. */
let client: Watchword | undefined;

export const watchword = () => (client ??= new Watchword());

/** What the API refuses is shown with its own words and status. Anything else is a failure of this server. */
export async function answerOf(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Without a status, the SDK has refused the input itself.
    return Response.json({ message: error.message }, { status: error.status ?? 400 });
  }
}
