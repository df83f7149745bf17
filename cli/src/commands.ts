type Command = (args: readonly string[]) => Promise<number>;

/** Each module is loaded when its command runs, so that `analyze` does not wait for the client and the MCP protocol to load. */
export const COMMANDS: Record<string, Command> = {
  analyze: (args) => runAnalyze(args),
  analyse: (args) => runAnalyze(args),
  login: async (args) => (await import('./account/login-command.ts')).runLogin(args),
  logout: async (args) => (await import('./account/login-command.ts')).runLogout(args),
  keys: async (args) => (await import('./account/keys-command.ts')).runKeys(args),
  listen: async (args) => (await import('./listen/listen-command.ts')).runListen(args),
  completion: async (args) => (await import('./completion.ts')).runCompletion(args),
  library: async (args) => (await import('./library/library-command.ts')).runLibrary(args),
  similar: async (args) => (await import('./library/library-command.ts')).runSimilar(args),
  correct: async (args) => (await import('./library/correct-command.ts')).runCorrect(args),
  describe: async (args) => (await import('./library/describe-command.ts')).runDescribe(args),
  bulk: async (args) => (await import('./library/bulk-command.ts')).runBulk(args),
  corrections: async (args) => (await import('./library/corrections-command.ts')).runCorrections(args),
  import: async (args) => (await import('./import/import-command.ts')).runImport(args),
  crate: async (args) => (await import('./library/crate-command.ts')).runCrate(args),
  mcp: async (args) => (await import('./mcp/mcp-command.ts')).runMcp(args),
};

const runAnalyze: Command = async (args) => (await import('./analyze/analyze-command.ts')).runAnalyze(args);
