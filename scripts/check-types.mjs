import { checkTypes, openPrograms } from './typescript-programs.mjs';

checkTypes(openPrograms());
