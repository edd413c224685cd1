export interface ScriptedServer {
  url: string;
  requests: unknown[];
  script(answers: unknown[]): void;
  close(): void;
}

export function startScriptedServer(): Promise<ScriptedServer>;
