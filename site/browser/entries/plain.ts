/** The script of pages that have no script of their own, such as the page for an unknown address. */
import { startPage } from '../start';

startPage({ isLive: false });
