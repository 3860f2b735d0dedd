/** Checks the types of everything: `npm run types`. */
import { checkTypes, openPrograms } from './typescript-programs.mjs';

checkTypes(openPrograms());
