/** The script of the list of markets. */
import { startLiveList } from '../live/pages';
import { startPage } from '../start';

startPage({ isLive: true });
startLiveList(location.search);
