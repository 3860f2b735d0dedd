/** The script of the operators' pages. */
import { startOperators } from '../operators';

startOperators();
