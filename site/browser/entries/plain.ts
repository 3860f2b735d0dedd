/** The script of a page that only shows the session, such as the page for an unknown address. */
import { startPage } from '../start';

startPage({ isLive: false });
