/** Token of the id of this process, stored on the attempts that it holds. */
export const PROCESS_ID = Symbol('process id');
