import { startOperators } from '../operators';

startOperators();
