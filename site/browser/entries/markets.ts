import { find } from '../dom';
import { startLiveList } from '../live/pages';
import { startPage } from '../start';

startPage({ isLive: true });
startLiveList(find('[data-list]')?.dataset.list ?? '');
